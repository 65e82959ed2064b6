/**
 * @module From the demo to a project of one's own: other content types, and nothing left that the demo brought.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildRegistry, SchemaError, type SchemaFiles } from '../../registry/build.ts';
import type { Registry } from '../../registry/model.ts';
import { CHECKED } from '../../registry/schema-json.ts';
import { assertUnlocked } from '../dev/lock.ts';
import { stateFolder } from '../dev/state-folder.ts';
import { configChange, writeConfig } from '../import/config-file.ts';
import { DEMO_FINGERPRINT, fingerprintOf, writeTypes } from '../import/place-types.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { generate } from '../project/generate.ts';
import { CONFIG, CONTENT_TYPES, readSchemaFiles } from '../project/project.ts';
import { UserError } from '../terminal.ts';
import { readStrapiFiles } from './strapi-files.ts';

const DEMO = 'demo';
const NONE: SchemaFiles = { contentTypes: [], components: [] };

export interface InitOptions {
  /** Folder of a Strapi project. */
  readonly from?: string;
  /** Replaces what is not the demo's, too. */
  readonly force?: boolean;
}

type Say = (text: string) => void;

/** The files that the project is to have; undefined: those that it has. */
async function chooseFiles(root: string, { from, force }: InitOptions, say: Say): Promise<SchemaFiles | undefined> {
  const { files } = await readSchemaFiles(root);
  const isDemo = fingerprintOf(files) === DEMO_FINGERPRINT;
  if (from === undefined) return isDemo ? NONE : undefined;
  if (!isDemo && files.contentTypes.length > 0 && !force)
    throw new UserError(`${CONTENT_TYPES}/ has content types that are not the demo's; to replace them: --force`);
  const strapi = readStrapiFiles(from);
  for (const path of strapi.left)
    say(`${path} is left out: of the types of plugins, users alone may have attributes of their own`);
  return strapi.files;
}

/** The registry, or none with what is wrong. */
function tryRegistry(files: SchemaFiles): { readonly registry?: Registry; readonly message: string } {
  try {
    return { registry: buildRegistry(files, CHECKED), message: '' };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { message: error.message };
  }
}

/** Takes out what belongs to a project's content types. */
async function emptySettings(root: string, say: Say): Promise<void> {
  const change = await configChange(root, { roles: {} }, buildRegistry(NONE, CHECKED));
  if (change.kind === 'write') {
    writeConfig(root, change.text);
    say(`${CONFIG}: roles, indexes and searches of the demo are gone`);
  } else if (change.kind === 'patch')
    say(`${CONFIG} has more than values in it: take out yourself what names content types of the demo`);
}

/** A database of the demo is put aside, under a name that is free. */
function putStateAside(root: string, say: Say): void {
  const state = stateFolder(root, {});
  if (!existsSync(state)) return;
  let number = 1;
  while (existsSync(`${state}.old-${number}`)) number += 1;
  renameSync(state, `${state}.old-${number}`);
  say(`the local database was put aside: ${relative(root, state)}.old-${number}`);
}

function removeDemo(root: string, say: Say): void {
  for (const folder of [DEMO, MIGRATIONS]) {
    if (!existsSync(join(root, folder))) continue;
    rmSync(join(root, folder), { recursive: true });
    say(`removed ${folder}/`);
  }
}

/** What is to be done next: the lines. */
function next(registry: Registry | undefined, message: string): readonly string[] {
  if (!registry) return [message, 'Next: mend these files, then npm run generate, then npm run dev'];
  const own = [...registry.contentTypes.values()].filter(({ system }) => !system);
  const [first] = own;
  if (!first)
    return [
      `Next: write ${CONTENT_TYPES}/<name>/schema.json, then npm run dev; while it runs, it follows what you save`,
    ];
  return [
    'Next: npm run dev',
    `Nobody may read anything without a token yet. In ${CONFIG}: roles: { public: ['${first.uid}.find'] }`,
  ];
}

/**
 * Replaces the demo. A git checkout brings it back.
 * @returns what to do next.
 * @throws UserError for a project whose demo is gone, while it is served, and for a folder without content types.
 */
export async function init(root: string, options: InitOptions, say: Say): Promise<readonly string[]> {
  if (!existsSync(join(root, DEMO)) && !options.force)
    throw new UserError(
      `There is no ${DEMO}/ here, so ${MIGRATIONS}/ may hold migrations of yours; to remove them all the same: --force`,
    );
  assertUnlocked(root, {});
  const files = await chooseFiles(root, options, say);
  if (files) {
    const paths = writeTypes(root, files);
    say(paths.length === 0 ? `emptied ${CONTENT_TYPES}/` : `wrote ${paths.length} file(s) to ${CONTENT_TYPES}/`);
  }
  const { registry, message } = tryRegistry(files ?? (await readSchemaFiles(root)).files);
  await emptySettings(root, say);
  removeDemo(root, say);
  putStateAside(root, say);
  if (registry) for (const path of await generate(root)) say(`wrote ${path}`);
  return next(registry, message);
}
