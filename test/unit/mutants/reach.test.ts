/**
 * @module Which tests a mutant must run.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { filesReaching, readImporters } from '../../mutants/reach.ts';

const FILES = {
  'src/limit.ts': '',
  'src/find.ts': "import { LIMIT } from './limit.ts';",
  'src/plan.ts': "import type { Limit } from './limit.ts';",
  'cli/program.ts': "const { find } = await import('../src/find.ts');",
  'cli/edgewise.mjs': "import(new URL('./program.ts', import.meta.url));",
  'test/find.test.ts': "import {\n  find,\n} from '../src/find.ts';",
  'test/plan.test.ts': "import { plan } from '../src/plan.ts';",
  'test/command.test.ts': "spawn(process.execPath, ['cli/edgewise.mjs']);",
};

const root = mkdtempSync(join(tmpdir(), 'edgewise-reach-'));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
afterAll(() => rmSync(root, { recursive: true }));

it('reaches a module by imports of values, by lazy imports and by scripts that are spawned, not by types', () => {
  const reaching = filesReaching('src/limit.ts', readImporters(root));
  expect([...reaching].filter((file) => file.startsWith('test/')).toSorted()).toEqual([
    'test/command.test.ts',
    'test/find.test.ts',
  ]);
});
