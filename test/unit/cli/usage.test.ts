/**
 * @module Wrong command lines, each ends in one sentence, and changes nothing.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentType } from '../../support/schema-files.ts';
import { cleanEnv, type Ended, type Env, runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const EDGEWISE = join(import.meta.dirname, '../../../cli/edgewise.mjs');
const ROOT = join(import.meta.dirname, '../../..');
/** On a machine whose user may do everything, the user `nobody` is one who may not. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The repository may lie where only its owner can read it. */
const canNobodyRun = spawnSync(process.execPath, ['--check', EDGEWISE], NOBODY).status === 0;

let project: ScratchProject;
beforeAll(() => {
  project = scratchProject();
  project.write('wrangler.toml', 'name = "magazine"\ncompatibility_date = "2026-11-01"\n');
  project.schemas(contentType('article', { title: { type: 'string' } }));
  project.write('there.tar.gz', 'an archive that was there before');
  project.write('empty.tar', '');
  project.write('secret.tar.gz.enc', 'enciphered');
  mkdirSync(join(project.root, 'folder'));
  chmodSync(join(project.root, 'folder'), 0o555);
  chmodSync(project.root, 0o755);
});
afterAll(() => project.remove('.'));

/** All files with what is in them, and when they were written. */
const stateOf = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => {
    const stat = statSync(join(root, path));
    return `${path} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(join(root, path), 'utf8') : ''}`;
  });

/** A command line in the folder of the project. */
const edgewise = (line: string, env?: Env, root = project.root): Promise<Ended> => runCommand(root, line, env);

/** A process, whose user may be another. */
function start(command: string, args: readonly string[], env: Env = {}, options: object = {}): Ended {
  const done = spawnSync(command, args, { cwd: project.root, encoding: 'utf8', env: cleanEnv(env), ...options });
  return { code: Number(done.status), said: `${done.stdout}${done.stderr}` };
}

/** The executable itself. */
const executable = (line: string, env?: Env, options?: object): Ended =>
  start(process.execPath, [EDGEWISE, ...line.split(' ')], env, options);

/** Expects one sentence, this exit code, and a project that is as it was. */
async function expectRefusal(
  run: () => Ended | Promise<Ended>,
  code: number,
  sentence: string | RegExp,
): Promise<void> {
  const before = stateOf(project.root);
  const { said, ...ended } = await run();
  expect(ended, said).toEqual({ code });
  const line = said.replace(/\n$/, '');
  expect(line).not.toContain('\n');
  if (typeof sentence === 'string') expect(line).toBe(sentence);
  else expect(line).toMatch(sentence);
  expect(stateOf(project.root)).toEqual(before);
}

describe('a wrong command line', () => {
  it.each<[string, string | RegExp]>([
    ['imprt there.tar.gz', "Unknown command 'imprt' (Did you mean import?)"],
    ['constructor', "Unknown command 'constructor'"],
    ['token creat', "Unknown command 'creat' (Did you mean create?)"],
    ['media chek', 'Unexpected argument "chek". Did you mean: npx edgewise media check'],
    ['import there.tar.gz --dry-rum', "Unknown option '--dry-rum' (Did you mean --dry-run?)"],
    ['generate --chekc', "Unknown option '--chekc' (Did you mean --check?)"],
    ['dev --prot 3000', "Unknown option '--prot' (Did you mean --port?)"],
    ['deploy --remote', /^Unknown option '--remote'/],
    ['generate check', 'Unexpected argument "check". Did you mean: npx edgewise generate --check'],
    ['backup other.tar.gz', 'Unexpected argument "other.tar.gz"; see: npx edgewise backup --help'],
    ['restore there.tar.gz replace', 'Unexpected argument "replace". Did you mean: npx edgewise restore --replace'],
    ['token list preview', 'Unexpected argument "preview"; see: npx edgewise token list --help'],
    ['import', "Missing required argument 'file'"],
    ['restore --replace', "Missing required argument 'file'"],
    ['token revoke', "Missing required argument 'name'"],
    ['oauth revoke', "Missing required argument 'id'"],
    ['oauth revok', /revoke/],
    ['new', "Missing required argument 'folder'"],
    ['new site --from . --archive a.tar', "Option '--from <dir>' cannot be used with option '--archive <file>'"],
    ['new site --from . --from-clone .', "Option '--from <dir>' cannot be used with option '--from-clone <dir>'"],
    ['new site --form .', "Unknown option '--form' (Did you mean --from?)"],
    ['new edgewise', 'A Worker cannot be called "edgewise"; give the folder another name, such as my-api'],
    ['new ___', 'A Worker cannot be called "___"; give the folder another name, such as my-api'],
    ['history purge', "Required option '--type <uid>' not specified"],
    ['history prune --al', /^Unknown option '--al'/],
    ['token create --type read-only', "Required option '--name <name>' not specified"],
    ['token create --name preview', "Required option '--type <type>' not specified"],
    ['dev --port', "Option '--port <n>' argument missing"],
    ['dev --port http', "Option '--port <n>' argument 'http' is invalid. Expected 1 to 65535."],
    ['dev --port 70000', "Option '--port <n>' argument '70000' is invalid. Expected 1 to 65535."],
    [
      'token create --name a --type admin',
      /argument 'admin' is invalid. Allowed choices are full-access, read-only, agent, cu/,
    ],
    [
      'token create --name a --type read-only --days 0',
      /'0' is invalid. Expected a whole number of days, 1 to 99999\.$/,
    ],
    ['import there.tar.gz --only users', /'users' is invalid. Expected some of content, files, config, with commas\.$/],
    ['media --most 101', /'101' is invalid. Expected 0 to 100\.$/],
    ['media --min-age 1.5', /'1\.5' is invalid. Expected a whole number\.$/],
    ['media --yes 1e3 --fix', /'1e3' is invalid. Expected a whole number\.$/],
    ['import there.tar.gz --merge', /^Unknown option '--merge'/],
    ['import there.tar.gz --replace --resume', "Option '--replace' cannot be used with option '--resume'"],
    ['import there.tar.gz --force --replace-types', "Option '--force' cannot be used with option '--replace-types'"],
    ['import there.tar.gz --no-backup', '--no-backup goes with --replace'],
    ['restore there.tar.gz --no-backup', '--no-backup goes with --replace'],
    ['backup --remote --persist-to state', "Option '--persist-to <dir>' cannot be used with option '--remote'"],
    ['media --fix --purge', "Option '--fix' cannot be used with option '--purge'"],
    ['media --yes 3', '--yes goes with --fix or --purge'],
    ['generate --check --allow-drop', "Option '--check' cannot be used with option '--allow-drop'"],
    [
      'token create --name a --type read-only --permission api::article.article.find',
      /^--permission: a token of the type read-only/,
    ],
    ['token create --name a --type custom', /^--permission: a custom token needs at least one, such as /],
  ])('is refused: %s', async (line, sentence) => {
    await expectRefusal(() => edgewise(line), 2, sentence);
  });

  it('is refused in a folder that is no project', async () => {
    const folder = join(project.root, 'content-types');
    await expectRefusal(
      () => edgewise('generate', {}, folder),
      2,
      /^There is no wrangler\.toml in .*: run the command in /,
    );
  });
});

describe('the executable', () => {
  it.each<[string, number, string]>([
    ['imprt there.tar.gz', 2, "Unknown command 'imprt' (Did you mean import?)"],
    ['import nowhere.tar.gz', 1, 'nowhere.tar.gz cannot be opened: there is no such file or folder'],
  ])('ends with what it refuses, and the code for it: %s', async (line, code, sentence) => {
    await expectRefusal(() => executable(line), code, sentence);
  });
});

describe('a project that another version generated', () => {
  const NOTE = 'drizzle/meta/_edgewise.json';

  it.each([
    ['99.0.0', /^This project was generated by Edgewise 99\.0\.0, and \S+ cannot go back; install 99\.0\.0 or newer$/],
    [7, /^drizzle\/meta\/_edgewise\.json: restore it from version control; it names no version$/],
  ])('is refused where that is newer, or no version: %s', async (version, sentence) => {
    project.write(NOTE, JSON.stringify({ version, tables: '' }));
    try {
      for (const line of ['generate', 'migrate', 'build', 'dev', 'deploy', 'backup'])
        await expectRefusal(() => edgewise(line), 1, sentence);
    } finally {
      project.remove(NOTE);
    }
  });
});

describe('a file or folder that cannot be used', () => {
  it.each<[string, string | RegExp]>([
    ['import nowhere.tar.gz', 'nowhere.tar.gz cannot be opened: there is no such file or folder'],
    ['import folder', 'folder is no file'],
    ['import empty.tar', 'empty.tar is empty'],
    ['import there.tar.gz', 'there.tar.gz is no archive: neither tar nor gzip'],
    ['import secret.tar.gz.enc', 'secret.tar.gz.enc is enciphered: set EDGEWISE_IMPORT_KEY to its key'],
    ['import there.tar.gz/x.tar', /cannot be opened: a part of the path is a file, not a folder$/],
    ['restore nowhere.tar.gz', 'nowhere.tar.gz cannot be opened: there is no such file or folder'],
    ['new content-types', 'content-types is not empty; name a folder that is absent or empty'],
    ['new there.tar.gz', 'there.tar.gz is a file; name a folder that is absent or empty'],
    ['new site --from nowhere', '--from nowhere: there is no such folder'],
    ['new site --from content-types', /^--from content-types: no content types in it; expected a Strapi project/],
    ['new site --from-clone .', '--from-clone .: there is no clone of Edgewise'],
    ['new site --archive nowhere.tar', 'nowhere.tar cannot be opened: there is no such file or folder'],
    ['new site --archive empty.tar', 'empty.tar is empty'],
    ['export --file there.tar.gz', '--file: there.tar.gz is there already'],
    ['export --file folder', '--file: folder is there already'],
    ['export --file nowhere/archive.tar.gz', '--file: there is no folder nowhere'],
    ['backup --file there.tar.gz', '--file: there.tar.gz is there already'],
    ['backup --file there.tar.gz/backup.tar.gz', /cannot be read: a part of the path is a file, not a folder$/],
    ['backup --file /dev/null', '--file: /dev/null is there already'],
  ])('is named: %s', async (line, sentence) => {
    await expectRefusal(() => edgewise(line), 1, sentence);
  });

  it.skipIf(!canNobodyRun).each(['export', 'backup'])(
    'is named by %s where it belongs to somebody else',
    async (name) => {
      const run = () => executable(`${name} --file folder/it.tar.gz`, { HOME: project.root }, NOBODY);
      await expectRefusal(run, 1, 'folder cannot be changed: this user may not do that');
    },
  );
});

describe('a right command line', () => {
  it('npx finds the executable of this project', async () => {
    const env = { npm_config_cache: join(project.root, 'cache'), npm_config_offline: 'true' };
    const { code, said } = start('npx', ['edgewise', 'import', '--help'], env, { cwd: ROOT });
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/^Usage: npx edgewise import \[options\] <file>/),
    });
  });

  it.each<[string, Env, RegExp]>([
    ['--help', {}, /^Usage: npx edgewise \[options\] \[command\]/],
    ['token create --help', {}, /^Usage: npx edgewise token create \[options\]/],
    ['--version', {}, /^\d+\.\d+\.\d+\n$/],
  ])('shows what was asked for: %s', async (line, env, text) => {
    expect(await edgewise(line, env)).toEqual({ code: 0, said: expect.stringMatching(text) });
  });

  it.each(['--help', 'import --help', 'imprt', 'import a.tar --resume --replace'])(
    'loads nothing large where nothing is done: %s',
    (line) => {
      const hook = `import { registerHooks } from 'node:module';
const load = (url, context, next) => (process.stderr.write(\`@\${url}\\n\`), next(url, context));
registerHooks({ load });`;
      const preload = `--import data:text/javascript,${encodeURIComponent(hook)}`;
      const loaded = executable(line, { NODE_OPTIONS: preload }).said;
      expect(loaded).toMatch(/^@.*\/commander\//m);
      expect(loaded).not.toMatch(
        /^@.*\/node_modules\/(wrangler|miniflare|workerd|drizzle-kit|drizzle-orm|esbuild|typescript)\//m,
      );
    },
  );
});
