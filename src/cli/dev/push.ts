/**
 * @module Plans the change of a local database to the tables of the files, without a migration for every save. A save only
 * adds: what would drop, rename or convert stored content needs a migration, so undoing a save loses nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { defaultLocale as defaultLocaleOf } from '../../settings.ts';
import { type Run, runBatch } from '../core/sql/database.ts';
import { UserError } from '../core/terminal.ts';
import { applyLocally, localHistory, markAppliedSql } from '../migrations/apply.ts';
import { checkHistory } from '../migrations/history.ts';
import { type LocalSchema, noteSchemaSql, readSchema } from '../migrations/local-schema.ts';
import { type CountedLoss, lossTexts, storedLosses } from '../migrations/losses.ts';
import {
  diffSchemas,
  openRenames,
  renamedLayout,
  type SchemaDiff,
  type SchemaState,
  stateOf,
} from '../migrations/migration.ts';
import { jsonText, type Migration } from '../migrations/migration-files.ts';
import { resolveRenames } from '../migrations/rename-options.ts';
import { declaredBy, readState } from '../migrations/revisions.ts';
import { RENAME_ADVICE } from '../project/generate.ts';
import { type Sources, wantedOf } from '../project/sources.ts';

export interface Consent {
  /** May stored content be converted? */
  readonly allowConvert?: boolean;
  /** May it be lost? */
  readonly allowDrop?: boolean;
}

const namesOf = (migrations: readonly Migration[]): readonly string[] => migrations.map(({ name }) => name);

/**
 * Applies the migrations of the project, unless the database is ahead of them or has others.
 * @returns the schema then, and the number of applied migrations.
 * @throws UserError for a database of unknown layout with migrations that the project does not have.
 */
export async function settle(root: string, db: D1Database): Promise<readonly [LocalSchema, number]> {
  const known = await readSchema(db);
  const history = await localHistory(root, db);
  const { applied, pending, foreign } = history;
  if (known?.pushed) return [known, 0];
  // Another process may have applied migrations meanwhile.
  const isKnown = known && isDeepStrictEqual([...known.migrations].sort(), [...applied].sort());
  if (isKnown && (foreign.length > 0 || pending.length === 0)) return [known, 0];
  if (foreign.length > 0) checkHistory(history, {});
  await applyLocally(db, history);
  return [{ state: readState(root), pushed: false, migrations: [...applied, ...namesOf(pending)] }, pending.length];
}

/**
 * @param lost stored content that the files would drop; `converted` would only change its form
 * @param isDue a migration can make the change; otherwise the local database alone differs from the files
 */
function rejection(lost: readonly CountedLoss[], converted: readonly CountedLoss[], isDue: boolean): UserError {
  const option = lost.length > 0 ? ' -- --allow-drop' : '';
  const advice = isDue
    ? [
        `Take the change back, or make a migration of it: npm run generate${option}`,
        ...(lost.length > 0 ? [RENAME_ADVICE] : []),
      ]
    : [
        `No migration makes it. To change the local database: stop npm run dev, then npm run migrate${option}`,
        'To keep it as it is and use another one: npm run dev -- --persist-to <folder>',
      ];
  return new UserError(
    [
      'A save only adds. The local database stores what the files would change:',
      ...lossTexts([...lost, ...converted], {}),
      ...advice,
    ].join('\n'),
  );
}

/** Returns the state after a migration that would be made now. */
const dueState = (sources: Sources, { layout }: SchemaState): SchemaState =>
  stateOf(wantedOf(sources, layout).registry);

const statementsOf = ({ parts }: SchemaDiff): readonly string[] => parts.flatMap(({ statements }) => statements);

/**
 * @throws UserError for changes of stored content that no migration makes and that are not allowed.
 */
export async function planPush(
  root: string,
  db: D1Database,
  local: LocalSchema,
  sources: Sources,
  { allowConvert = false, allowDrop = false }: Consent = {},
) {
  const { pending } = await localHistory(root, db);
  const committed = readState(root);
  const isDue = jsonText(dueState(sources, committed)) !== jsonText(committed);
  const noted = declaredBy(root, pending);
  const open = openRenames(local.state, sources.declared, noted.renames);
  const renames = resolveRenames(open, local.state.layout, sources.declared);
  const wanted = wantedOf(sources, renamedLayout(local.state, sources.declared, renames, true));
  const defaultLocale = defaultLocaleOf(sources.settings);
  const diff = await diffSchemas(local.state, stateOf(wanted.registry), {
    renames,
    defaultLocale,
    isForced: true,
  });
  const losses = diff.parts.flatMap((part) => part.losses).filter(({ subject }) => !noted.dropped.has(subject));
  const run: Run = (statements) => runBatch(db, statements);
  const lost = allowDrop ? [] : await storedLosses(losses, run);
  // A migration that leads to these files converts what they ask for.
  const isMade = allowConvert || (!isDue && pending.length > 0);
  const converted = isMade ? [] : await storedLosses(diff.conversions, run);
  if (lost.length + converted.length > 0) throw rejection(lost, converted, isDue);
  const schema: LocalSchema = {
    state: diff.next,
    pushed: jsonText(diff.next) !== jsonText(committed),
    migrations: isDue ? local.migrations : [...local.migrations, ...namesOf(pending)],
  };
  const content = statementsOf(diff);
  const changes = [...content, ...(isDue ? [] : markAppliedSql(pending))];
  const isNew = changes.length > 0 || jsonText(schema) !== jsonText(await readSchema(db));
  const statements = isNew ? [...changes, ...noteSchemaSql(schema)] : [];
  return {
    /** Change the tables, and store their new layout; empty when they are up to date. */
    statements,
    /** A short name of the change: `alter_articles`. */
    what: content.length > 0 ? diff.what : undefined,
    wanted,
    /** Do the files differ from what the migrations make? */
    isDue,
  };
}

export type Push = Awaited<ReturnType<typeof planPush>>;
