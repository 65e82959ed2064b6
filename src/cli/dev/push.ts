/**
 * @module What a local database needs so that it has the tables of the files as they are now, without a migration for
 * every save. Nothing that is stored is lost on the way: what left the files is kept, and other changes that would lose
 * something wait until `npm run generate` was told to make them.
 */
import { isDeepStrictEqual } from 'node:util';
import { defaultLocale } from '../../config.ts';
import { layoutOf } from '../migrations/layout.ts';
import { diffSchemas, NO_RENAMES, renamedLayout, type SchemaDiff, type SchemaState } from '../migrations/migration.ts';
import { jsonText, readState } from '../migrations/migration-files.ts';
import type { Loss } from '../migrations/migration-work.ts';
import { snapshotOf } from '../migrations/snapshot.ts';
import { type Sources, type Wanted, wantedOf } from '../project/sources.ts';
import { UserError } from '../terminal.ts';
import { applyMigrations, markAppliedSql, migrationsOf, renamesOf } from './applied.ts';
import { keep, looseLinksSql, removedItems, withKept } from './kept.ts';
import { type LocalSchema, NOTHING_KEPT, noteSchemaSql, readSchema } from './local-schema.ts';
import { undoPushedRenames } from './pushed-renames.ts';
import { storedLosses } from './stored.ts';

export interface Push {
  /** Changes the tables, and says so in the database; none when all is as it should be. */
  readonly statements: readonly string[];
  /** A few words about them: `alter_articles`; none of nothing. */
  readonly what?: string;
  readonly wanted: Wanted;
  /** Subjects (`article.lead`) that are kept from now on, or still are. */
  readonly kept: readonly string[];
  /** Do the files ask for more than the migrations in the project lead to? */
  readonly isDue: boolean;
}

/**
 * Applies the migrations of the project as they are, unless the database is ahead of them or comes from elsewhere.
 * @returns what the tables are then, and how many migrations were applied.
 */
export async function settle(root: string, db: D1Database): Promise<readonly [LocalSchema, number]> {
  const known = await readSchema(db);
  const { applied, pending, foreign } = await migrationsOf(root, db);
  if (known?.pushed) return [known, 0];
  // Somebody else may have applied migrations meanwhile.
  const isKnown = known && isDeepStrictEqual([...known.migrations].sort(), [...applied].sort());
  if (isKnown && (foreign.length > 0 || pending.length === 0)) return [known, 0];
  await applyMigrations(root, db, { applied, pending, foreign });
  const migrations = [...applied, ...pending];
  return [{ state: await readState(root), kept: NOTHING_KEPT, pushed: false, migrations }, pending.length];
}

async function isDue(root: string, sources: Sources): Promise<boolean> {
  const state: SchemaState = await readState(root);
  const { registry } = wantedOf(sources, state.layout);
  const next: SchemaState = { snapshot: await snapshotOf(registry), layout: layoutOf(registry) };
  return jsonText(next) !== jsonText(state);
}

const keptSubjects = (schema: LocalSchema): readonly string[] =>
  removedItems(withKept(schema).state.layout, schema.state.layout).map(({ subject }) => subject);

function refuse(losses: readonly Loss[]): never {
  const lines = losses.map(({ subject, reason }) => `  ${subject}: ${reason}`);
  throw new UserError(
    [
      'The files ask for changes that lose stored content:',
      ...lines,
      'Change them back, or go ahead with: npm run generate -- --allow-drop',
    ].join('\n'),
  );
}

interface Planned {
  readonly what: string;
  readonly statements: readonly string[];
  readonly schema: LocalSchema;
  readonly wanted: Wanted;
}

/** The change to what a migration in the project has led to already; what it loses was allowed when it was made. */
async function planCommitted(sources: Sources, full: LocalSchema, root: string, pending: readonly string[]) {
  const undone = undoPushedRenames(full, renamesOf(root, pending));
  const { state } = undone.schema;
  const wanted = wantedOf(sources, renamedLayout(state, sources.declared, undone.renames));
  const options = { renames: undone.renames, defaultLocale: defaultLocale(sources.settings) };
  const diff = await diffSchemas(state, wanted.registry, options);
  const statements = [...undone.statements, ...statementsOf(diff), ...markAppliedSql(pending)];
  const migrations = [...full.migrations, ...pending];
  const schema = { state: diff.next, kept: NOTHING_KEPT, pushed: false, migrations };
  return { what: diff.what, statements, wanted, schema };
}

const statementsOf = ({ parts }: SchemaDiff): readonly string[] => parts.flatMap(({ statements }) => statements);
const lossesOf = ({ parts }: SchemaDiff): readonly Loss[] => parts.flatMap(({ losses }) => losses);

/** What left the files and is stored is kept; what else would be lost and is stored stops the change. */
async function planOpen(sources: Sources, full: LocalSchema, local: LocalSchema, db: D1Database): Promise<Planned> {
  const wanted = wantedOf(sources, full.state.layout);
  const options = { renames: NO_RENAMES, defaultLocale: defaultLocale(sources.settings) };
  const lost = await storedLosses(db, lossesOf(await diffSchemas(full.state, wanted.registry, options)));
  const subjects = lost.map(({ subject }) => subject);
  const removed = removedItems(full.state.layout, layoutOf(wanted.registry));
  const kept = removed.filter(({ subject }) => subjects.includes(subject));
  const refused = lost.filter(({ subject }) => !kept.some((item) => item.subject === subject));
  if (refused.length > 0) refuse(refused);
  const { schema, statements } = keep(full, kept);
  const diff = await diffSchemas(schema.state, wanted.registry, options);
  const changes = statementsOf(diff);
  const loose = changes.length > 0 ? looseLinksSql(local.state.layout, diff.next.layout) : [];
  const all = [...statements, ...changes, ...loose];
  return { what: diff.what, statements: all, wanted, schema: { ...schema, state: diff.next } };
}

/**
 * Plans the change of a local database to what the files ask for.
 * @throws UserError for changes that lose something stored and are in no migration.
 */
export async function planPush(root: string, db: D1Database, local: LocalSchema, sources: Sources): Promise<Push> {
  const { pending } = await migrationsOf(root, db);
  const due = await isDue(root, sources);
  const full = withKept(local);
  const planned =
    pending.length > 0 && !due
      ? await planCommitted(sources, full, root, pending)
      : await planOpen(sources, full, local, db);
  const kept = keptSubjects(planned.schema);
  const schema = { ...planned.schema, pushed: due || kept.length > 0 };
  const isNew = planned.statements.length > 0 || jsonText(schema) !== jsonText(await readSchema(db));
  const statements = isNew ? [...planned.statements, ...noteSchemaSql(schema)] : [];
  const what = planned.statements.length > 0 ? { what: planned.what } : {};
  return { statements, ...what, wanted: planned.wanted, kept, isDue: due };
}
