/**
 * @module What `npm create edgewise` does: installs Edgewise into a new folder, and lets it write the project there, so that
 * everything is installed once. It has no dependencies; all else is that of `edgewise new`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isStarterName, STARTER_NAMES } from '../cli/core/starter-names.ts';
import { print, run, UsageError, UserError } from '../cli/core/terminal.ts';
import { clientBeside } from '../cli/new/client-file.ts';
import { assertFree } from '../cli/new/folder.ts';
import { installPackages, npmCommand } from '../cli/new/install.ts';
import { packageText, projectName } from '../cli/new/package-json.ts';
import { askNew, type NewAnswers } from '../cli/new/questions.ts';
import edgewise from '../package.json' with { type: 'json' };

const HELP = `npm create edgewise@latest [folder] -- [options]

Makes a project of Edgewise in a folder that is absent or empty, whose name becomes that of the Worker.

  --from <dir>           a Strapi project, whose content types and components are copied
  --archive <file>       an archive of \`strapi export\`, whose content types are taken
  --starter <name>       what it begins with: content types, content, and a site in site/; one of ${STARTER_NAMES.join(', ')}
  --edgewise <file>      the package edgewise as a file, not from the registry
  --git, --no-git        makes a git repository, or none
  --install, --no-install
                         installs the packages with npm, or leaves that to you
  --yes                  asks nothing: what no option says is an article, a repository, and an installation
  --version, --help
`;

const OPTIONS = {
  from: { type: 'string' },
  archive: { type: 'string' },
  starter: { type: 'string' },
  edgewise: { type: 'string' },
  git: { type: 'boolean' },
  install: { type: 'boolean' },
  yes: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** @throws UsageError for a wrong command line */
function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowNegative: true,
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new Error(`Unexpected argument "${positionals[1]}"`);
    const [first, second] = (['from', 'archive', 'starter'] as const).filter((name) => values[name] !== undefined);
    if (second !== undefined) throw new Error(`--${first} and --${second} exclude each other`);
    const { starter, ...others } = values;
    if (starter !== undefined && !isStarterName(starter))
      throw new Error(`There is no starter "${starter}"; choose one of ${STARTER_NAMES.join(', ')}`);
    return { folder: positionals[0], values: { ...others, ...(starter !== undefined && { starter }) } };
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}; see: npm create edgewise@latest -- --help`);
  }
}

/** Before anything is installed. @throws UserError for what is not there */
function assertThere(option: string, path: string | undefined): void {
  if (path !== undefined && !existsSync(path))
    throw new UserError(`--${option} ${path}: there is no such file or folder`);
  if (option === 'edgewise' && path !== undefined && !/^edgewise-.*\.tgz$/.test(basename(path)))
    throw new UserError(`--edgewise ${path}: expected a file edgewise-<version>.tgz, as npm pack writes it`);
}

const flagsOf = ({ from, archive, starter, git, install }: NewAnswers): readonly string[] => [
  ...(from === undefined ? [] : ['--from', from]),
  ...(archive === undefined ? [] : ['--archive', archive]),
  ...(starter === undefined ? [] : ['--starter', starter]),
  git ? '--git' : '--no-git',
  install ? '--install' : '--no-install',
];

/** Installs the package alone, with what a project of it has in package.json. */
function installEdgewise(root: string, files: readonly string[], folder: string): void {
  const [file] = files;
  mkdirSync(root, { recursive: true });
  for (const path of files) copyFileSync(path, join(root, basename(path)));
  const dependency = file === undefined ? `^${edgewise.version}` : `file:${basename(file)}`;
  writeFileSync(join(root, 'package.json'), packageText(projectName(root), dependency, edgewise));
  // The project is not there before, so that nothing else is to be done.
  installPackages(root, `run npm create edgewise@latest ${folder} again`);
}

/** The exit code of `edgewise new`: of the package in the folder, or without an installation from npm's cache. */
function writeProject(root: string, { folder, ...answers }: NewAnswers, file: string | undefined): number {
  const args = ['new', folder, ...flagsOf({ folder, ...answers }), '--yes'];
  const from = `--package=${file === undefined ? `edgewise@^${edgewise.version}` : resolve(file)}`;
  const installed = join(root, 'node_modules/edgewise/cli/edgewise.mjs');
  const [command, all, options] = answers.install
    ? [process.execPath, [installed, ...args], {}]
    : npmCommand(['exec', '--yes', from, '--', 'edgewise', ...args]);
  return spawnSync(command, all, { ...options, stdio: 'inherit' }).status ?? 1;
}

async function create(args: readonly string[]): Promise<void> {
  const { folder, values } = parsed(args);
  if (values.help) return print(HELP.trimEnd());
  if (values.version) return print(edgewise.version);
  for (const option of ['from', 'archive', 'edgewise'] as const) assertThere(option, values[option]);
  const answers = await askNew(folder, values);
  const { edgewise: file } = values;
  const files = file === undefined ? [] : [file, ...(answers.starter === undefined ? [] : [clientBeside(file)])];
  const root = resolve(answers.folder);
  projectName(root);
  assertFree(root, answers.folder);
  if (answers.install) installEdgewise(root, files, answers.folder);
  process.exitCode = writeProject(root, answers, values.edgewise);
}

/** Is the process of a command line. */
export const main = (args: readonly string[]): Promise<void> => run(() => create(args));
