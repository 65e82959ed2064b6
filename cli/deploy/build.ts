/**
 * @module What wrangler runs before it bundles (`[build]` in wrangler.toml), so that the Worker always has the content
 * types and the settings of the files.
 */
import { fencesOf } from '../core/sql/fence.ts';
import { progress } from '../core/terminal.ts';
import { withFences, withRenames } from '../migrations/history-renames.ts';
import { renamedLayout } from '../migrations/migration.ts';
import { NO_RENAMES } from '../migrations/rename-options.ts';
import { lastState, type MigrationFolder, readFolder } from '../migrations/revisions.ts';
import { assertMigrated } from '../project/generate.ts';
import { builtFiles } from '../project/project-file.ts';
import { readSources, type Sources, wantedOf } from '../project/sources.ts';
import { assetWarnings } from '../project/warnings.ts';
import { writeFiles } from '../project/write-files.ts';
import { writeAssets } from '../studio/assets.ts';
import { assertDeployable } from './warnings.ts';

/** As wrangler names its commands in WRANGLER_COMMAND. */
const DEPLOYMENTS: readonly string[] = ['deploy', 'versions upload'];

/** Writes what a deployment is bundled with: the tables are those of the migrations. */
export function writeBuilt(root: string, sources: Sources, { revisions, migrations }: MigrationFolder): void {
  const layout = renamedLayout(lastState(revisions), sources.declared, NO_RENAMES);
  const { files } = wantedOf(sources, layout);
  const bundled = withFences(withRenames(files, sources.settings, revisions), fencesOf(migrations));
  writeFiles(root, builtFiles(root, bundled, sources.settings));
}

/**
 * Writes `.edgewise/`.
 * @param command the command of wrangler that bundles; undefined outside of wrangler
 * @throws SchemaError or UserError for wrong files, and before a deployment for content types without their migration and missing settings
 */
export async function buildProject(root: string, command?: string): Promise<void> {
  const isDeployed = DEPLOYMENTS.includes(command ?? '');
  if (isDeployed) await assertMigrated(root);
  const sources = await readSources(root);
  if (isDeployed) assertDeployable(sources.settings, []);
  writeBuilt(root, sources, readFolder(root));
  await writeAssets(root, sources.settings);
  progress('wrote .edgewise/');
  for (const line of assetWarnings(root, sources.settings)) progress(line);
}
