/**
 * @module From the demo to a project of one's own: other content types, and nothing left that the demo brought.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildRegistry, SchemaError, type SchemaFiles } from '../../registry/build.ts';
import type { Registry } from '../../registry/model.ts';
import { CHECKED } from '../../registry/schema-json.ts';
import { counted } from '../counted.ts';
import { assertUnlocked } from '../dev/lock.ts';
import { type ConfigChange, configChange, writeConfig } from '../import/config-file.ts';
import { DEMO_FINGERPRINT, fingerprintOf, writeTypes } from '../import/place-types.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { generate } from '../project/generate.ts';
import { CONFIG, CONTENT_TYPES, readSchemaFiles, registryOf } from '../project/project.ts';
import { UserError } from '../terminal.ts';
import { DEMO, leaveDemo } from './leave-demo.ts';
import { strapiCode } from './strapi-code.ts';
import { readStrapiFiles } from './strapi-files.ts';

const NONE: SchemaFiles = { contentTypes: [], components: [] };

export interface InitOptions {
  /** Folder of a Strapi project. */
  readonly from?: string;
  /** Replaces what is not the demo's, too. */
  readonly force?: boolean;
}

type Say = (text: string) => void;

/** The files that the project is to have; undefined: those that it has. */
async function chooseFiles(root: string, { from, force }: InitOptions): Promise<SchemaFiles | undefined> {
  const { files } = await readSchemaFiles(root);
  const isDemo = fingerprintOf(files) === DEMO_FINGERPRINT;
  if (from === undefined) return isDemo ? NONE : undefined;
  if (!isDemo && files.contentTypes.length > 0 && !force)
    throw new UserError(`${CONTENT_TYPES}/ has content types that are not the demo's; to replace them: --force`);
  return readStrapiFiles(from);
}

/** Generates what follows from the files. @returns the registry, or what is wrong with the files. */
async function tryGenerate(root: string, say: Say): Promise<Registry | string> {
  try {
    const registry = registryOf(await readSchemaFiles(root));
    for (const path of await generate(root)) say(`wrote ${path}`);
    return registry;
  } catch (error) {
    if (error instanceof SchemaError || error instanceof UserError) return error.message;
    throw error;
  }
}

/** Takes out what belongs to the demo's content types. */
function emptySettings(root: string, change: ConfigChange, say: Say): void {
  if (change.kind === 'write') {
    writeConfig(root, change.text);
    say(`${CONFIG}: roles, locales, indexes and searches of the demo are gone`);
  } else if (change.kind === 'patch')
    say(`${CONFIG} has more than values in it: remove roles, locales, indexes and searches of the demo yourself`);
}

/** What to do next: the lines. */
function next(registry: Registry | string): readonly string[] {
  if (typeof registry === 'string')
    return [registry, 'Next: correct what is named here, then npm run generate, then npm run dev'];
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

/** What of a Strapi project is not taken: the lines. */
function notTaken(project: string): readonly string[] {
  const { leftovers, generated } = strapiCode(project);
  const named = leftovers.map(({ path, advice }) => `  ${path}: ${advice}`);
  return [
    ...(named.length > 0 ? [`Not taken from ${project}:`, ...named] : []),
    ...(generated > 0 ? [`${counted(generated, 'file')} of code as Strapi generates them: nothing to do`] : []),
    'Documents, files and users are not part of these files: npx strapi export there, then npm run import here',
  ];
}

/**
 * Replaces the demo. A git checkout brings it back.
 * @returns what was not taken, and what to do next.
 * @throws UserError for a project whose demo is gone, while it is served, and for a folder without content types.
 */
export async function init(root: string, options: InitOptions, say: Say): Promise<readonly string[]> {
  if (!existsSync(join(root, DEMO)) && !options.force)
    throw new UserError(
      `There is no ${DEMO}/ here, so ${MIGRATIONS}/ may hold migrations of yours; to remove them all the same: --force`,
    );
  assertUnlocked(root, {});
  // All is read before the first change.
  const files = await chooseFiles(root, options);
  const lines = options.from === undefined ? [] : notTaken(options.from);
  const change = await configChange(root, { roles: {} }, buildRegistry(NONE, CHECKED), true);
  if (files) {
    const paths = writeTypes(root, files);
    say(
      paths.length === 0 ? `emptied ${CONTENT_TYPES}/` : `wrote ${counted(paths.length, 'file')} to ${CONTENT_TYPES}/`,
    );
  }
  emptySettings(root, change, say);
  leaveDemo(root, {}, { keepsMigrations: false }, say);
  return [...lines, ...next(await tryGenerate(root, say))];
}
