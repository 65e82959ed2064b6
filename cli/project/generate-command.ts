/**
 * @module What `edgewise generate` does: writes what follows from the sources of a project, shows it, or checks it.
 */
import { print, printJson, progress } from '../core/terminal.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { parseRenames } from '../migrations/rename-options.ts';
import { assertConverted, checkGenerated, planGenerate, readBasis } from './generate.ts';
import { hasText, writeFiles } from './write-files.ts';

interface GenerateFlags {
  readonly check?: true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly allowDrop?: true;
  readonly name?: string;
  readonly rename?: readonly string[];
  readonly renameType?: readonly string[];
  readonly renameComponent?: readonly string[];
  readonly persistTo?: string;
}

/** Writes what has changed; prints it, with the SQL of its migrations, for `--dry-run` and `--json`. */
async function writeGenerated(root: string, { dryRun = false, json = false, ...flags }: GenerateFlags): Promise<void> {
  const { rename = [], renameType = [], renameComponent = [], allowDrop = false, name = '' } = flags;
  const renames = parseRenames(rename, renameType, renameComponent);
  const options = { renames, allowDrop, allowByHand: true, name, target: flags };
  const plan = await planGenerate(root, await readBasis(root), options);
  for (const line of plan.lines) progress(line);
  const files = dryRun
    ? plan.outputs.filter((file) => !hasText(root, file)).map(({ path }) => path)
    : writeFiles(root, plan.outputs);
  if (files.length === 0) progress('up to date');
  for (const path of files) progress(`${dryRun ? 'would write' : 'wrote'} ${path}`);
  const migrations = plan.migrations.map(({ name, text }) => ({ path: `${MIGRATIONS}/${name}`, sql: text }));
  if (json) printJson({ files, migrations, incomplete: plan.incomplete, warnings: plan.lines });
  else if (dryRun) for (const { path, sql } of migrations) print(`-- ${path}\n${sql}`);
  if (!dryRun) assertConverted(plan.incomplete);
}

/** Writes what has changed, shows what would be written, or checks that nothing has changed, and reports it. */
export async function generateProject(root: string, flags: GenerateFlags): Promise<void> {
  if (!flags.check) return writeGenerated(root, flags);
  await checkGenerated(root);
  progress('up to date');
}
