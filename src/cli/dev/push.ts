/**
 * @module What a local database needs so that it has the tables of the files as they are now, without a migration for
 * every save. Nothing that is stored is lost on the way: what leaves the tables is kept beside them, and a new form in
 * which stored content could not be kept waits for a migration.
 */
import { isDeepStrictEqual } from 'node:util';
import { defaultLocale as defaultLocaleOf } from '../../config.ts';
import { type Layout, layoutOf } from '../migrations/layout.ts';
import { diffSchemas, renamedLayout, type SchemaDiff, type SchemaState } from '../migrations/migration.ts';
import { jsonText, readState } from '../migrations/migration-files.ts';
import type { Loss } from '../migrations/migration-work.ts';
import { RENEW_STAMPS } from '../migrations/renew-stamps.ts';
import { snapshotOf } from '../migrations/snapshot.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { type Sources, type Wanted, wantedOf } from '../project/sources.ts';
import { applyMigrations, markAppliedSql, migrationsOf, type Noted, notesOf } from './applied.ts';
import { setAside } from './kept.ts';
import { droppedGroups, forgetSql, type KeptSubject, keptSubjects } from './kept-report.ts';
import { CREATE_KEPT, type KeptGroup, readKept } from './kept-table.ts';
import { type LocalSchema, migratedSchema, noteSchemaSql, readSchema } from './local-schema.ts';
import { changesBetween, seenForms } from './push-changes.ts';
import { checkLosses, hide, hideKept, withHidden } from './push-losses.ts';
import { pushedRenames } from './pushed-renames.ts';
import { putBack } from './put-back.ts';
import { settleRows } from './settle-rows.ts';
import { storedLosses } from './stored.ts';

export interface Push {
  /** Changes the tables, and says so in the database; none when all is as it should be. */
  readonly statements: readonly string[];
  /** A few words about them: `alter_articles`; none of nothing. */
  readonly what?: string;
  readonly wanted: Wanted;
  /** What left the files and is kept. */
  readonly kept: readonly KeptSubject[];
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
  const state = await readState(root);
  const migrations = [...applied, ...pending];
  return [known ? { ...known, state, migrations } : migratedSchema(state, migrations), pending.length];
}

/** The state that the migrations would lead to if one were made now. */
async function dueState(sources: Sources, state: SchemaState): Promise<SchemaState> {
  const { registry } = wantedOf(sources, state.layout);
  return { snapshot: await snapshotOf(registry), layout: layoutOf(registry) };
}

const statementsOf = ({ parts }: SchemaDiff): readonly string[] => parts.flatMap(({ statements }) => statements);
const lossesOf = ({ parts }: SchemaDiff): readonly Loss[] => parts.flatMap(({ losses }) => losses);

const uidsOfTables = (layout: Layout, tables: readonly string[]): readonly string[] =>
  Object.keys(layout.types).filter((uid) => tables.includes(layout.types[uid]?.table ?? ''));

/** `table.attribute` of what a migration converts. */
const convertedBy = (dropped: ReadonlySet<string>, { types }: Layout): readonly string[] =>
  Object.entries(types).flatMap(([uid, { table, attributes }]) =>
    Object.keys(attributes).flatMap((name) => (dropped.has(`${nameOfType(uid)}.${name}`) ? [`${table}.${name}`] : [])),
  );

interface Ahead {
  readonly local: LocalSchema;
  readonly sources: Sources;
  readonly groups: readonly KeptGroup[];
  /** Of the migrations that the database does not have yet. */
  readonly noted: Noted;
  /** Forms that need no migration. */
  readonly seen: readonly string[];
}

interface Planned {
  readonly what: string;
  readonly wanted: Wanted;
  readonly statements: readonly string[];
  readonly kept: readonly KeptSubject[];
  readonly schema: Omit<LocalSchema, 'pushed' | 'migrations'>;
}

async function planContent(db: D1Database, { local, sources, groups, noted, seen }: Ahead): Promise<Planned> {
  const defaultLocale = defaultLocaleOf(sources.settings);
  const { dropped } = noted;
  const before = withHidden(local.state.layout, local.hidden);
  const renamed = pushedRenames(before, layoutOf(sources.declared), noted.renames);
  const state = { snapshot: local.state.snapshot, layout: renamed.layout };
  const called = renamedLayout(state, sources.declared, renamed.own);
  const wanted = wantedOf(sources, called);
  const after = layoutOf(wanted.registry);
  const diffFrom = (layout: Layout) =>
    diffSchemas({ ...state, layout }, wanted.registry, { renames: renamed.own, defaultLocale });
  const all = await diffFrom(state.layout);
  const lost = await storedLosses(db, lossesOf(all));
  const changes = changesBetween(called, after);
  checkLosses(lost, { before, after, changes, dropped }, [...seen, ...seenForms(before)]);
  const stored = new Set(lost.map(({ subject }) => subject));
  const { hidden, layout } = hide(state.layout, changes, (subject) => stored.has(subject) && !dropped.has(subject));
  const diff = Object.keys(hidden).length > 0 ? await diffFrom(layout) : all;
  const aside = setAside(changes, { before, after, defaultLocale, lost: stored, dropped });
  const known = [...groups, ...aside.groups].map(renamed.rename);
  const moving = known.length > 0 ? renamed.statements : [];
  const moved = new Set([...renamed.moved, ...convertedBy(dropped, after)]);
  const isSame = isDeepStrictEqual(before, after) && moving.length === 0 && local.defaultLocale === defaultLocale;
  const hiddenThen = hideKept(known, after, hidden);
  const target = { before, layout: after, hidden: hiddenThen, defaultLocale, moved };
  const back = putBack(isSame ? [] : known, target);
  const forgotten = droppedGroups(known, dropped, after);
  const movedTypes = uidsOfTables(after, aside.tables);
  const settled = settleRows(diff.next, { before, defaultLocale, back: back.types, moved: movedTypes });
  const statements = [
    ...(aside.statements.length > 0 ? [CREATE_KEPT] : []),
    ...aside.statements,
    ...moving,
    ...statementsOf(diff),
    ...back.statements,
    ...settled.statements,
    ...forgetSql(forgotten),
  ];
  return {
    what: diff.what,
    wanted,
    statements: statements.length > 0 ? [...statements, RENEW_STAMPS] : [],
    kept: keptSubjects(
      known.filter((group) => !forgotten.includes(group)),
      hidden,
      after,
    ),
    schema: {
      state: diff.next,
      hidden: hiddenThen,
      defaultLocale,
      seen: [...new Set([...local.seen, ...seenForms(before), ...seenForms(after)])],
      forms: { ...local.forms, ...aside.forms, ...settled.forms },
    },
  };
}

/**
 * Plans the change of a local database to what the files ask for.
 * @throws UserError for changes that lose something stored and are in no migration.
 */
export async function planPush(root: string, db: D1Database, local: LocalSchema, sources: Sources): Promise<Push> {
  const { pending } = await migrationsOf(root, db);
  const committed = await readState(root);
  const isDue = jsonText(await dueState(sources, committed)) !== jsonText(committed);
  const groups = await readKept(db, local.forms);
  const seen = [...local.seen, ...seenForms(committed.layout)];
  const planned = await planContent(db, { local, sources, groups, noted: notesOf(root, pending), seen });
  const { statements: content, wanted, kept, what } = planned;
  const schema: LocalSchema = {
    ...planned.schema,
    pushed: jsonText(planned.schema.state) !== jsonText(committed),
    migrations: isDue ? local.migrations : [...local.migrations, ...pending],
  };
  const changes = [...content, ...(isDue ? [] : markAppliedSql(pending))];
  const isNew = changes.length > 0 || jsonText(schema) !== jsonText(await readSchema(db));
  const statements = isNew ? [...changes, ...noteSchemaSql(schema)] : [];
  return { statements, ...(content.length > 0 && { what }), wanted, kept, isDue };
}
