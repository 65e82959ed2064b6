/**
 * @module Command lines of `npm create edgewise` that make no project. create.long.test.ts makes one.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readPackage } from '../../../cli/core/package.ts';
import { STARTER_NAMES } from '../../../cli/core/starter-names.ts';
import { npmCommand } from '../../../cli/new/install.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const CREATE = join(import.meta.dirname, '../../../create/create-edgewise.mjs');
const OLD = `data:text/javascript,${encodeURIComponent("process.getBuiltinModule('node:sqlite').DatabaseSync = class {};")}`;

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  project.write('full/file', '');
  project.write('edgewise-0.0.1.tgz', '');
  return () => project.remove('.');
});

function create(line: string, ...node: readonly string[]) {
  const args = [...node, CREATE, ...line.split(' ').filter((word) => word !== '')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project.root,
    encoding: 'utf8',
    input: '',
  });
  return { code: status, said: `${stdout}${stderr}`.trim() };
}

describe('npm', () => {
  it('is run as it is, and on Windows by a shell that takes no blank for the end of a path', () => {
    const args = ['exec', '--package=C:\\my files\\edgewise.tgz'];
    expect(npmCommand(args, 'linux')).toEqual(['npm', args, { shell: false }]);
    expect(npmCommand(args, 'win32')).toEqual([
      'npm "exec" "--package=C:\\my files\\edgewise.tgz"',
      [],
      { shell: true },
    ]);
  });
});

describe('npm create edgewise', () => {
  it.each([
    ['', 2, "Missing required argument 'folder'"],
    ['site --form .', 2, "Unknown option '--form'; see: npm create edgewise@latest -- --help"],
    ['site other', 2, 'Unexpected argument "other"; see: npm create edgewise@latest -- --help'],
    [
      'site --from full --archive a',
      2,
      '--from and --archive exclude each other; see: npm create edgewise@latest -- --help',
    ],
    [
      'site --starter magazine --from full',
      2,
      '--from and --starter exclude each other; see: npm create edgewise@latest -- --help',
    ],
    [
      'site --starter shop',
      2,
      `There is no starter "shop"; choose one of ${STARTER_NAMES.join(', ')}; see: npm create edgewise@latest -- --help`,
    ],
    [
      'site --starter magazine --edgewise edgewise-0.0.1.tgz',
      1,
      'edgewise-client-0.0.1.tgz is missing, which a site depends on; npm pack --workspace=client writes it in a clone',
    ],
    ['edgewise', 2, 'A Worker cannot be called "edgewise"; give the folder another name, such as my-api'],
    ['full', 1, 'full is not empty; name a folder that is absent or empty'],
    ['site --from nowhere', 1, '--from nowhere: there is no such file or folder'],
    ['site --archive nowhere', 1, '--archive nowhere: there is no such file or folder'],
    ['site --edgewise nowhere', 1, '--edgewise nowhere: there is no such file or folder'],
  ])('%s: says what is wrong before anything is written', (line, code, said) => {
    expect(create(line)).toEqual({ code, said });
    expect(readdirSync(project.root)).toEqual(['edgewise-0.0.1.tgz', 'full']);
  });

  it('has a version and help', () => {
    expect(create('--version')).toEqual({ code: 0, said: readPackage().version });
    const { said } = create('--help');
    for (const option of ['from', 'archive', 'starter', 'edgewise', 'no-git', 'no-install', 'yes'])
      expect(said).toContain(`--${option}`);
  });

  it('needs a newer Node first of all', () => {
    const { code, said } = create('full', '--import', OLD);
    expect(code).toBe(1);
    expect(said).toMatch(/^This needs Node 24\.15 or newer .*; install a newer one: https:\/\/\S+$/);
  });
});
