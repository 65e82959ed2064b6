/**
 * @module The files of a new project: the template of the package, its content types, and what follows from them. It depends on
 * the package as the one that writes it was installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import { pathOfType } from '../../src/http/endpoint.ts';
import { isHidden, isLine } from '../../src/schema/attribute-kinds.ts';
import type { Registry } from '../../src/schema/model.ts';
import { SchemaError } from '../../src/schema/schema-error.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { gapOfType } from '../../testing/gaps.ts';
import { NODE_RANGE, PACKAGE, readPackage } from '../core/package.ts';
import { progress, UsageError, UserError } from '../core/terminal.ts';
import { typeChanges } from '../import/place-types.ts';
import type { Output } from '../migrations/migration-files.ts';
import { planGenerate } from '../project/generate.ts';
import { CONTENT_TYPES, resolveFiles } from '../project/project.ts';
import { sourcesOf } from '../project/sources.ts';
import type { Types } from './types.ts';

/** The file that npm installed this package from; undefined for one from a registry. */
function installedFile(): string | undefined {
  const modules = dirname(PACKAGE);
  const lock = join(modules, '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'));
  const resolved: string | undefined = packages['node_modules/edgewise']?.resolved;
  return resolved?.startsWith('file:') ? resolve(dirname(modules), resolved.slice('file:'.length)) : undefined;
}

/** Packs a clone. A folder as a dependency would be a link, without the packages that it needs. */
function packedClone(): string {
  progress('packing Edgewise …');
  const shell = process.platform === 'win32';
  const done = spawnSync('npm', ['pack', '--silent'], { cwd: PACKAGE, encoding: 'utf8', shell });
  // The last line names the file; before it stands what the build has written.
  if (done.status === 0) return join(PACKAGE, done.stdout.trim().split('\n').at(-1) ?? '');
  throw new UserError(`npm pack failed in ${PACKAGE}:\n${done.stderr?.trim() || done.error?.message}`);
}

/** Returns the file of the package; undefined for a package from a registry. @throws UserError */
export function packageFile(): string | undefined {
  const isClone = basename(dirname(PACKAGE)) !== 'node_modules';
  return isClone ? packedClone() : installedFile();
}

const TEMPLATE = join(PACKAGE, 'template');

/** What tests and types need, at the versions that the package was tested with. */
const DEVELOPMENT = ['@cloudflare/vitest-pool-workers', '@types/node', 'typescript', 'vitest'];

/** Cloudflare wants at most 63 characters for a bucket: this and `-media`. */
const MAX_NAME = 50;

/** The name of the Worker in a folder. @throws UsageError where the folder has none that would do. */
export function projectName(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-+|-+$/g, '');
  if (name === '' || name === 'edgewise' || DEVELOPMENT.includes(name))
    throw new UsageError(`A Worker cannot be called "${basename(root)}"; give the folder another name, such as my-api`);
  return name;
}

/** Rate limits with the same number are counted together in all Workers of an account. */
const namespaceOf = (name: string): string => String(1000 + (Number.parseInt(sha256(name).slice(0, 8), 16) % 9000));

function packageText(name: string, dependency: string): string {
  const { devDependencies } = readPackage();
  const scripts = {
    dev: 'edgewise dev',
    deploy: 'edgewise deploy',
    check: 'edgewise build && wrangler types && tsc',
    test: 'edgewise build && vitest run',
  };
  const content = {
    ...{ name, private: true, type: 'module', engines: { node: NODE_RANGE }, scripts },
    dependencies: { edgewise: dependency },
    devDependencies: Object.fromEntries(DEVELOPMENT.map((each) => [each, devDependencies[each]])),
    allowScripts: { esbuild: true, workerd: true },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function configText(settings: SettingsInput): string {
  const json = JSON.stringify(settings, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
  return `import { defineConfig } from 'edgewise';\n\nexport default defineConfig(${json});\n`;
}

/** A test of the first content type of which a document can be made. */
function exampleOf(registry: Registry | undefined): string {
  const model = registry && { registry, settings: parseSettings({}) };
  const type = model && [...model.registry.routes.values()].find((each) => gapOfType(each, model) === undefined);
  if (!type) return '';
  const path = type.kind === 'singleType' ? `'${pathOfType(type)}'` : `\`${pathOfType(type)}/\${documentId}\``;
  return `
  // It ends with the content type.
  const isThere = registry.contentTypes.some(({ path }) => path === '${CONTENT_TYPES}/${type.singularName}/schema.json');
  it.runIf(isThere)('returns a document that was created', async () => {
    // What the content type requires and is not given is made up.
    const { documentId } = await project.create('${type.uid}', {});
    const response = await project.fetch(${path});
    expect(await response.json()).toMatchObject({ data: { documentId } });
  });
`;
}

/** What the commented example of src/index.ts is about: a text of the first collection type that has one. */
function exampleNames(registry: Registry | undefined) {
  for (const { uid, kind, system, attributes } of registry?.contentTypes.values() ?? [])
    for (const each of kind === 'collectionType' && !system ? attributes.values() : []) {
      const isText = isLine(each) && each.writable && !isHidden(each);
      if (isText && /^[a-z]\w*$/i.test(each.name)) return { uid, attribute: each.name };
    }
  return { uid: 'api::article.article', attribute: 'title' };
}

/** What README.md says of a package from a registry, or of one that is a file of the project. */
const noteOf = (file: string | undefined) =>
  file === undefined
    ? { update: '`npm update edgewise`', packageRow: '' }
    : {
        update: '`npm install ./edgewise-….tgz` with the file of that version',
        packageRow: `\n| \`${file}\` | Edgewise, which \`npm ci\` installs from here; keep it in version control |`,
      };

/** A file of the template that npm would take for its own under its name. */
const HIDDEN = 'gitignore';

function templateFiles(values: Readonly<Record<string, string>>): readonly Output[] {
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '');
  return readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = relative(TEMPLATE, join(parentPath, name)).split(sep).join('/');
      const text = fill(readFileSync(join(parentPath, name), 'utf8'));
      return { path: path === HIDDEN ? `.${path}` : path, text };
    })
    .filter(({ path }) => !path.startsWith(`${CONTENT_TYPES}/`));
}

/** What `generate` writes; nothing where the content types have mistakes, which the user is to correct in the project. */
async function generated(root: string, files: Types['files'], settings: SettingsInput) {
  try {
    const parsed = parseSettings(settings);
    const read = resolveFiles({ files, problems: [] }, parsed);
    const sources = sourcesOf(read, parsed, {});
    const basis = { sources, folder: { migrations: [], revisions: [] }, locales: undefined, required: undefined };
    const { outputs, registry } = await planGenerate(root, basis, { isEmpty: true });
    return { outputs, registry };
  } catch (error) {
    if (!(error instanceof SchemaError || error instanceof UserError)) throw error;
    return { outputs: [], problem: error.message };
  }
}

/**
 * The files of a project, in a folder that is not written yet.
 * @param findPackage returns the file of the package; it is called once the content types are planned
 * @returns the files, the file of the package to copy beside them, and why none were generated from the content types.
 */
export async function planNew(root: string, name: string, types: Types, findPackage: () => string | undefined) {
  const settings: SettingsInput = { ...types.settings, ...(types.taken === undefined && { history: true }) };
  const { outputs, registry, problem } = types.taken
    ? { outputs: types.taken, registry: undefined, problem: undefined }
    : await generated(root, types.files, settings);
  const copied = findPackage();
  const file = copied && basename(copied);
  const dependency = file === undefined ? `^${readPackage().version}` : `file:${file}`;
  const role = settings.roles?.editor ? ' --role editor' : '';
  const names = { name, namespace: namespaceOf(name), role, ...exampleNames(registry) };
  const values = { ...names, example: exampleOf(registry), ...noteOf(file) };
  const written: readonly Output[] = [
    ...templateFiles(values),
    { path: 'package.json', text: packageText(name, dependency) },
    { path: 'edgewise.config.ts', text: configText(settings) },
    ...typeChanges(root, types.files).flatMap(({ path, text }) => (text === null ? [] : [{ path, text }])),
  ];
  const taken = new Set(outputs.map(({ path }) => path));
  return { outputs: [...written.filter(({ path }) => !taken.has(path)), ...outputs], copied, problem };
}
