/**
 * @module Registry → SQL: everything from scratch, or what changes since the last migration without losing content.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../../registry/model.ts';
import { STAMP_TABLE } from '../../registry/names.ts';
import { RENEW_STAMPS } from '../commands/renew.ts';
import { changeAttributes } from './attribute-changes.ts';
import { changeComponents } from './component-changes.ts';
import { EMPTY_LAYOUT, type Layout, layoutOf } from './layout.ts';
import { moveLinks } from './link-versions.ts';
import { type Loss, startWork, type Work } from './migration-work.ts';
import { fillNameKeys } from './name-keys.ts';
import { applyRenames, type Renames } from './renames.ts';
import { withSearchIndexes } from './search-index.ts';
import { shareAttributes } from './shared-attributes.ts';
import { diffSnapshots, type Snapshot, snapshotOf } from './snapshot.ts';
import { matchTypes, nameOfType, recount } from './type-changes.ts';
import { changeVersions } from './version-changes.ts';

/** What the migrations so far amount to: the two files in `drizzle/meta/`. */
export interface SchemaState {
  readonly snapshot: Snapshot;
  readonly layout: Layout;
}

export interface DiffOptions {
  readonly renames: Renames;
  /** The locale that content belongs to when a type becomes localized. */
  readonly defaultLocale: string;
}

export interface SchemaDiff {
  /** In order, without semicolons. */
  readonly statements: readonly string[];
  /** What the statements do not keep; a migration with any is made only on demand. */
  readonly losses: readonly Loss[];
  /** uids of components that are gone, and of those that are new. */
  readonly goneComponents: readonly string[];
  readonly newComponents: readonly string[];
  /** A few words for the file name: `add_articles`. */
  readonly what: string;
  readonly next: SchemaState;
}

export const NO_RENAMES: Renames = { attributes: [], tables: [], components: [] };

/** The state before the first migration. */
export const emptyState = async (): Promise<SchemaState> => ({ snapshot: await snapshotOf(), layout: EMPTY_LAYOUT });

/** The layout after the declared renames alone: what `overflowOf` has to go by. */
export function renamedLayout(previous: SchemaState, registry: Registry, renames: Renames): Layout {
  const work = startWork(previous.snapshot, previous.layout);
  applyRenames(work, renames, registry);
  return work.layout;
}

function changeAllAttributes(work: Work, next: Layout): void {
  for (const [uid, type] of Object.entries(next.types)) {
    const before = work.layout.types[uid];
    if (before) changeAttributes(work, nameOfType(uid), type.table, before.attributes, type.attributes);
  }
}

/** The word of a migration that changes no content type. */
function ownChange(work: Work, moved: boolean, next: Snapshot): string | undefined {
  if (moved) return 'link_versions';
  return work.tables[STAMP_TABLE] === undefined && STAMP_TABLE in next.tables ? 'stamps' : undefined;
}

const join = (tables: readonly string[]): string =>
  tables.length > 3 ? `${tables.length}_types` : tables.join('_and_').replaceAll('-', '_');

function describe(previous: SchemaState, next: SchemaState, renames: Renames): string {
  const renamed = new Map(renames.tables.map(({ from, to }) => [from, to]));
  const before = new Map(
    Object.values(previous.layout.types).map((type) => [renamed.get(type.table) ?? type.table, type] as const),
  );
  if (before.size === 0) return 'initial';
  const after = new Map(Object.values(next.layout.types).map((type) => [type.table, type] as const));
  const added = [...after.keys()].filter((table) => !before.has(table));
  const dropped = [...before.keys()].filter((table) => !after.has(table));
  const altered = [...after.keys()].filter(
    (table) => before.has(table) && !isDeepStrictEqual(before.get(table), after.get(table)),
  );
  if (altered.length > 0) return `alter_${join(altered)}`;
  if (added.length > 0 && dropped.length > 0) return `replace_${join(dropped)}`;
  if (added.length > 0) return `add_${join(added)}`;
  return dropped.length > 0 ? `drop_${join(dropped)}` : 'alter_tables';
}

/**
 * What has to happen to a database in state `previous` so that it serves `registry`, whose overflow map is decided
 * already. Nothing is asked and nothing guessed: what is not declared as a rename is a removal and an addition.
 * @throws UserError for a rename that the content types do not bear out.
 */
export async function diffSchemas(
  previous: SchemaState,
  registry: Registry,
  { renames, defaultLocale }: DiffOptions,
): Promise<SchemaDiff> {
  const next: SchemaState = { snapshot: await snapshotOf(registry), layout: layoutOf(registry) };
  const work = startWork(previous.snapshot, previous.layout);
  const moved = await moveLinks(work, await snapshotOf());
  applyRenames(work, renames, registry);
  matchTypes(work, next.layout);
  changeComponents(work, next.layout, renames.attributes);
  changeAllAttributes(work, next.layout);
  work.statements.push(...(await diffSnapshots({ ...previous.snapshot, tables: work.tables }, next.snapshot)));
  work.statements.push(...fillNameKeys(previous.snapshot, registry));
  shareAttributes(work, next.layout, defaultLocale);
  changeVersions(work, next.layout, next.snapshot.tables, defaultLocale);
  recount(work, next.layout);
  const what = describe(previous, next, renames);
  const named = (what === 'alter_tables' && ownChange(work, moved, next.snapshot)) || what;
  const changes = withSearchIndexes(work.statements, previous.layout, next.layout);
  const statements = changes.length > 0 ? [...changes, RENEW_STAMPS] : [];
  const [before, after] = [work.layout.components, next.layout.components];
  return {
    statements,
    losses: work.losses,
    goneComponents: Object.keys(before).filter((uid) => !after[uid]),
    newComponents: Object.keys(after).filter((uid) => !before[uid]),
    what: named,
    next,
  };
}

/** Every statement that an empty database needs for a registry, in order, without semicolons. */
export async function createSchemaSql(registry: Registry): Promise<string[]> {
  const options = { renames: NO_RENAMES, defaultLocale: '' };
  return [...(await diffSchemas(await emptyState(), registry, options)).statements];
}
