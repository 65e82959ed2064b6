import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchProject } from './scratch-project.ts';

const PROJECT = join(import.meta.dirname, '../../../cli/project');

/** Reads the settings, changes what they import, and reads them again, in a process of its own. */
const script = (root: string): string => `
  import { writeFileSync } from 'node:fs';
  import { loadSettings } from ${JSON.stringify(join(PROJECT, 'settings.ts'))};
  const load = async () => (await loadSettings(${JSON.stringify(root)})).api.rest.defaultLimit;
  const first = await load();
  const file = ${JSON.stringify(join(root, 'own/limit.ts'))};
  writeFileSync(file, 'export const limit: number = 2;');
  console.log(JSON.stringify([first, await load()]));
`;

it('reads changed settings and the modules they import', () => {
  const project = scratchProject();
  try {
    project.write('own/limit.ts', 'export const limit: number = 1;');
    project.write(
      'edgewise.config.ts',
      `import { limit } from './own/limit.ts';\nexport default { api: { rest: { defaultLimit: limit } } };`,
    );
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script(project.root)], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([1, 2]);
  } finally {
    project.remove('.');
  }
});
