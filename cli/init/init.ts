/**
 * @module From the demo to a project of one's own: other content types, and nothing left that the demo brought.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaFiles } from '../../src/registry/build.ts';
import type { Registry } from '../../src/registry/model.ts';
import { SchemaError } from '../../src/registry/schema-error.ts';
import { counted } from '../core/counted.ts';
import type { Disk } from '../core/disk.ts';
import { assertUnlocked } from '../core/storage/state-folder.ts';
import { UserError } from '../core/terminal.ts';
import { DEMO_FINGERPRINT, fingerprintOf } from '../import/place-types.ts';
import { type ProjectModel, planProject, planSettings, projectChanges, writeProject } from '../import/plan-project.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { DEMO, planLeaving } from '../project/leave-demo.ts';
import { CONTENT_TYPES, readSchemaFiles } from '../project/project.ts';
import { CONFIG } from '../project/settings.ts';
import { strapiCode } from './strapi-code.ts';
import { readStrapiFiles } from './strapi-files.ts';

/** The folder of a Strapi project, and whether to replace what is not the demo's, too. */
export type InitOptions = Readonly<{ from?: string; force?: boolean }>;

/** The files that the project is to have; undefined: those that it has. */
async function chooseFiles(root: string, { from, force }: InitOptions): Promise<SchemaFiles | undefined> {
  const { files } = await readSchemaFiles(root);
  const isDemo = fingerprintOf(files) === DEMO_FINGERPRINT;
  if (from === undefined) return isDemo ? { contentTypes: [], components: [] } : undefined;
  if (!isDemo && files.contentTypes.length > 0 && !force)
    throw new UserError(`${CONTENT_TYPES}/ has content types that are not the demo's; to replace them: --force`);
  return readStrapiFiles(from);
}

/** @returns the plan; where the files have mistakes, one without what follows from them, and what is wrong. */
async function planInit(root: string, model: ProjectModel) {
  try {
    const plan = await planProject(root, model, { isEmpty: true });
    return { ...plan, outcome: plan.registry };
  } catch (error) {
    if (!(error instanceof SchemaError || error instanceof UserError)) throw error;
    const changes = projectChanges(root, model, []);
    return { changes, lines: [], done: model.leaving?.lines ?? [], outcome: error.message };
  }
}

function next(registry: Registry | string): readonly string[] {
  if (typeof registry === 'string')
    return [registry, 'Next: correct what is named here, then npm run generate, then npm run dev'];
  const first = [...registry.contentTypes.values()].find(({ system }) => !system);
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
export function notTaken(project: string): readonly string[] {
  const { leftovers, generated } = strapiCode(project);
  const named = leftovers.map(({ path, advice }) => `  ${path}: ${advice}`);
  return [
    ...(named.length > 0 ? [`Not taken from ${project}:`, ...named] : []),
    ...(generated > 0 ? [`${counted(generated, 'file')} of code as Strapi generates them: nothing to do`] : []),
    'Documents, files and users are not part of these files: npx strapi export there, then npm run import here',
  ];
}

/**
 * Replaces the demo: all of it or nothing, wherever the process stops. A git checkout brings it back.
 * @returns what was not taken, and what to do next.
 * @throws UserError for a project whose demo is gone, while it is served, and for a folder without content types.
 */
export async function init(root: string, options: InitOptions, say: (text: string) => void, disk?: Disk) {
  if (!existsSync(join(root, DEMO)) && !options.force)
    throw new UserError(
      `There is no ${DEMO}/ here, so ${MIGRATIONS}/ may hold migrations of yours; to remove them all the same: --force`,
    );
  assertUnlocked(root, {});
  const files = await chooseFiles(root, options);
  const lines = options.from === undefined ? [] : notTaken(options.from);
  const config = await planSettings(root, {}, true);
  const leaving = planLeaving(root, {}, false);
  const model = { ...(files && { files }), config, isNew: true, leaving };
  const { outcome, ...plan } = await planInit(root, model);
  writeProject(root, plan, say, disk);
  if (config.removed.length > 0) say(`removed from ${CONFIG}: ${config.removed.join(', ')} of the demo`);
  return [...lines, ...next(outcome)];
}
