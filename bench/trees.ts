/**
 * @module Two projects with the content types of the benchmark: one of this tree, one of another commit. Of the commit,
 * only its `package.json` (`npx edgewise build`), its `wrangler.toml` and the names of a project's files are used, so that its
 * modules may be anywhere.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SettingsInput } from '../src/schema/settings/config.ts';
import { INDEXES, SEARCH } from './declared.ts';
import { progress } from './report.ts';
import { servedConfig } from './scratch.ts';

const PROJECT = dirname(import.meta.dirname);
const LOCK = 'package-lock.json';

/** What belongs to the project of the repository: its content model, its migrations and its settings. */
const REPLACED = ['content-types', 'drizzle', 'edgewise.config.ts', 'edgewise.imported.json'];

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });

/** @returns the full hash of a commit. @throws Error for a revision that git does not know. */
export function resolveCommit(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).trim();
  } catch {
    throw new Error(`Unknown revision "${revision}": --against takes what \`git rev-parse\` resolves to a commit.`);
  }
}

/** Copies the files of the working tree as they are, without those that git ignores. */
function copyWorkingTree(folder: string): void {
  const paths = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean);
  for (const path of paths) if (existsSync(join(PROJECT, path))) cpSync(join(PROJECT, path), join(folder, path));
}

function extractCommit(commit: string, folder: string): void {
  const archive = `${folder}.tar`;
  git('archive', '--format=tar', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
}

/** @throws Error with what npm has written if it fails. */
async function runNpm(folder: string, ...args: readonly string[]): Promise<void> {
  // The npm that runs this may be silent (`npm run -s`), and passes that on.
  const env = { ...process.env, npm_config_loglevel: 'error' };
  const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const [code] = await once(child, 'close');
  process.off('exit', kill);
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${log}`);
}

/** Links the packages of this tree where both trees have the same, else installs those of the other. */
async function addPackages(folder: string): Promise<void> {
  const [own, other] = [PROJECT, folder].map((root) => readFileSync(join(root, LOCK), 'utf8'));
  if (own === other) symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  else {
    progress('installing the packages of the other commit: npm ci');
    await runNpm(folder, 'ci');
  }
}

/**
 * Makes the project in a new folder, and builds it by its own command.
 * @param given settings beside those of the content types.
 * @param commit undefined for the working tree.
 * @returns the path of its Wrangler configuration; the tables of its own migrations are in the local database.
 */
export async function makeTree(folder: string, given: SettingsInput, commit?: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  if (commit === undefined) copyWorkingTree(folder);
  else extractCommit(commit, folder);
  for (const path of REPLACED) rmSync(join(folder, path), { recursive: true, force: true });
  cpSync(join(import.meta.dirname, 'content-types'), join(folder, 'content-types'), { recursive: true });
  const settings = JSON.stringify({ ...given, indexes: INDEXES, search: SEARCH });
  writeFileSync(join(folder, 'edgewise.config.ts'), `export default ${settings};\n`);
  await addPackages(folder);
  for (const command of ['build', 'generate', 'migrate']) await runNpm(folder, 'exec', '--', 'edgewise', command);
  const config = join(folder, 'wrangler.toml');
  writeFileSync(config, servedConfig(readFileSync(config, 'utf8')));
  return config;
}
