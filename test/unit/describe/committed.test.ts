/**
 * @module What this repository keeps of all that clients are told: the description of the demo's API and its types, and the
 * tools of agents in `test/golden/`; `npm test -- test/unit/describe/committed.test.ts -u` writes the tools anew, to be read
 * before they are kept.
 */
import { expect, it } from 'vitest';
import { staleFiles } from '../../../cli/project/generate.ts';
import { TOOLS } from '../../../src/features/mcp/tools.ts';
import { DEMO } from '../../support/demo.ts';

it('has the generated files of the demo as they are generated', async () => {
  expect(await staleFiles(DEMO)).toEqual([]);
});

it('has the tools of agents', async () => {
  const tools = [...TOOLS].map(([name, { actions: _, run: __, isOn: ___, plainInput: ____, ...tool }]) => ({
    name,
    ...tool,
  }));
  await expect(`${JSON.stringify(tools, null, 1)}\n`).toMatchFileSnapshot('../../golden/tools.txt');
});
