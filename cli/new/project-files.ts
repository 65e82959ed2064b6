/**
 * @module The files of a new project: the template of the package, its content types, and what follows from them. It depends on
 * the package as the one that writes it was installed.
 */
import { basename } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import { isHidden, isLine } from '../../src/schema/attribute-kinds.ts';
import type { Registry } from '../../src/schema/model.ts';
import { SchemaError } from '../../src/schema/schema-error.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { readPackage } from '../core/package.ts';
import { UserError } from '../core/terminal.ts';
import { typeChanges } from '../import/place-types.ts';
import { planGenerate } from '../project/generate.ts';
import { resolveFiles } from '../project/project.ts';
import { sourcesOf } from '../project/sources.ts';
import type { NewFile } from './folder.ts';
import { packageText, withClient, withSite } from './package-json.ts';
import { SITE } from './starters.ts';
import { templateFiles, testFiles } from './template.ts';
import type { Types } from './types.ts';

/** Rate limits with the same number are counted together in all Workers of an account. */
const namespaceOf = (name: string): string => String(1000 + (Number.parseInt(sha256(name).slice(0, 8), 16) % 9000));

function configText(settings: SettingsInput): string {
  const json = JSON.stringify(settings, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
  return `import { defineConfig } from 'edgewise';\n\nexport default defineConfig(${json});\n`;
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

const SITE_ROW = `\n| \`${SITE}/\` | the site, which \`npm run dev\` starts beside the API; it has a README of its own |`;

/** The files of a site, which depends on this client and has a Worker beside that of the API. */
const siteFiles = (files: readonly NewFile[], name: string, client: string): readonly NewFile[] =>
  files.map(({ path, text }) => {
    if (path === `${SITE}/package.json`) return { path, text: withClient(JSON.parse(String(text)), client) };
    const isWorker = path === `${SITE}/wrangler.jsonc`;
    return { path, text: isWorker ? String(text).replace('{{name}}', name) : text };
  });

/**
 * The files of a project, in a folder that is not written yet.
 * @param findPackages returns the files of the package and of the client, none for those of a registry; it is called once the
 * content types are planned
 * @returns the files, those of packages to copy beside them, and why none were generated from the content types.
 */
export async function planNew(root: string, name: string, types: Types, findPackages: () => readonly string[]) {
  const settings: SettingsInput = {
    ...types.settings,
    ...(types.taken === undefined && { history: true, upload: { widths: true } }),
  };
  const { outputs, registry, problem } = types.taken
    ? { outputs: types.taken, registry: undefined, problem: undefined }
    : await generated(root, types.files, settings);
  const copied = findPackages();
  const edgewise = readPackage();
  const [file, client] = copied.map((path) => basename(path));
  const dependency = file === undefined ? `^${edgewise.version}` : `file:${file}`;
  const role = settings.roles?.editor ? ' --role editor' : '';
  const names = { name, namespace: namespaceOf(name), role, ...exampleNames(registry) };
  const values = { ...names, ...noteOf(file), siteRow: types.site ? SITE_ROW : '' };
  const manifest = packageText(name, dependency, edgewise);
  const written: readonly NewFile[] = [
    ...templateFiles(values),
    { path: 'package.json', text: types.site ? withSite(manifest, edgewise) : manifest },
    ...(types.site && registry ? testFiles(registry) : []),
    ...siteFiles(types.site ?? [], name, client === undefined ? `^${edgewise.version}` : `file:../${client}`),
    { path: 'edgewise.config.ts', text: configText(settings) },
    ...typeChanges(root, types.files).flatMap(({ path, text }) => (text === null ? [] : [{ path, text }])),
  ];
  const taken = new Set(outputs.map(({ path }) => path));
  return { outputs: [...written.filter(({ path }) => !taken.has(path)), ...outputs], copied, problem };
}
