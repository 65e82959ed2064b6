/**
 * @module Plans a migration: the statements between two states of the tables, with what they lose.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../../src/schema/model.ts';
import { OWN_TABLES } from '../../src/schema/names.ts';
import { ROTATE_STAMPS } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';
import { changeAttributes, TEMPORARY } from './attribute-changes.ts';
import { changeComponents } from './component-changes.ts';
import { type Snapshot, statementsBetween } from './drizzle-kit.ts';
import { beginTotal } from './history-total.ts';
import { EMPTY_LAYOUT, type Layout, layoutOf } from './layout.ts';
import { turnLinks } from './link-changes.ts';
import { changeReferences, shareAttributes } from './locale-changes.ts';
import { isIncomplete, type Loss, newWork, type SchemaState, type Work } from './migration-work.ts';
import { NO_RENAMES, type Renames, resolveRenames } from './rename-options.ts';
import { applyRenames } from './renames.ts';
import { withSearchIndexes } from './search-index.ts';
import { commonOf, EMPTY_SNAPSHOT, snapshotOf, unionOf } from './snapshot.ts';
import { renameInConditions, TOKENS } from './token-changes.ts';
import { matchTypes, recount } from './type-changes.ts';
import { changeVersions } from './version-changes.ts';

/** The tables after some migrations. */

export interface DiffOptions {
  /** With uids and tables, as `resolveRenames` returns them. */
  readonly renames: Renames;
  /** The locale that content belongs to when a type becomes localized. */
  readonly defaultLocale: string;
  /** May a rename replace what has the new name already? That is a loss then. */
  readonly isForced?: boolean;
  /** Does the migration have places to be completed by hand, where values are not converted? Otherwise they are emptied. */
  readonly isByHand?: boolean;
}

/**
 * When a deployment runs a part: `before` the new version serves, if the previous one works with the changed tables;
 * `during` the change of versions, if it does not; `after` it, for what only the previous version reads.
 */
export type When = 'before' | 'during' | 'after';

export interface Part {
  readonly when: When;
  /** In order, without semicolons. */
  readonly statements: readonly string[];
  /** A migration with losses is written only with `--allow-drop`. */
  readonly losses: readonly Loss[];
  /** Does it move stored values, which a version from before it would write where the new one does not look for them? */
  readonly moves?: true;
}

export const EMPTY_STATE: SchemaState = { snapshot: EMPTY_SNAPSHOT, layout: EMPTY_LAYOUT };

export const stateOf = (registry: Registry): SchemaState => ({
  snapshot: snapshotOf(registry),
  layout: layoutOf(registry),
});

/** The layout after the declared renames alone, for `overflowOf`. */
export function renamedLayout(previous: SchemaState, registry: Registry, renames: Renames, isForced = false): Layout {
  const work = newWork(previous, { snapshot: EMPTY_SNAPSHOT, layout: layoutOf(registry) }, '');
  applyRenames(work, resolveRenames(renames, previous.layout, registry), isForced);
  return work.layout;
}

/** The renames that apply: a database may have a new name already, or never have had the old one. */
export function openRenames(state: SchemaState, registry: Registry, renames: Renames): Renames {
  const isOpen = (some: Partial<Renames>): boolean => {
    try {
      renamedLayout(state, registry, { ...NO_RENAMES, ...some }, true);
      return true;
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  };
  const tables = renames.tables.filter((rename) => isOpen({ tables: [rename] }));
  const components = renames.components.filter((rename) => isOpen({ components: [rename] }));
  const attributes = renames.attributes.filter((rename) => isOpen({ tables, components, attributes: [rename] }));
  return { tables, components, attributes };
}

function describe(previous: SchemaState, next: SchemaState, renames: Renames): string {
  const nameOf = (table: string) => renames.tables.find(({ from }) => from === table)?.to ?? table;
  const before = new Map(Object.values(previous.layout.types).map((type) => [nameOf(type.table), type]));
  if (before.size === 0) return 'initial';
  const after = new Map(Object.values(next.layout.types).map((type) => [type.table, type]));
  const tables = [...after.keys()];
  const added = tables.filter((table) => !before.has(table));
  const dropped = [...before.keys()].filter((table) => !after.has(table));
  const kept = tables.filter((table) => before.has(table));
  const altered = kept.filter((table) => !isDeepStrictEqual(before.get(table), after.get(table)));
  const removal = added.length > 0 ? 'replace' : 'drop';
  const changes = [['alter', altered] as const, [removal, dropped] as const, ['add', added] as const];
  const [verb, changed] = changes.find(([, names]) => names.length > 0) ?? ['alter', ['tables']];
  return `${verb}_${changed.length > 3 ? `${changed.length}_types` : changed.join('_and_').replaceAll('-', '_')}`;
}

/** Statements with which the previous version works. */
const ADDS = /^(CREATE |DROP INDEX |ALTER TABLE \S+ ADD )/;

/** Changes the tables. What only the previous version reads is dropped after the deployment, if D1 has room for both. */
async function changeTables(work: Work, previous: Snapshot, next: Snapshot): Promise<boolean> {
  const present = { ...previous, tables: work.tables };
  const both = unionOf(present, next);
  const between = both ?? commonOf(present, next);
  work.statements.push(...(await statementsBetween(present, between)));
  (both ? work.late : work.statements).push(...(await statementsBetween(between, next)));
  return both !== undefined;
}

/** Tables that have no values of attributes. Names in former versions are those of their time. */
const BESIDE_CONTENT = [...OWN_TABLES.map(identifier), TOKENS];

/** Does a statement write to one of them? */
const isBeside = (statement: string): boolean =>
  BESIDE_CONTENT.some((table) => /^(UPDATE|INSERT INTO) (\S+) /.exec(statement)?.[2] === table);

/** Statements of attributes that are stored in another way: columns that are only added, renamed or removed are no such thing. */
function movesValues({ statements, next }: Work): boolean {
  const tables = Object.values(next.types).map(({ table }) => identifier(table));
  const moves = (statement: string): boolean =>
    isIncomplete(statement) ||
    statement.includes(` RENAME COLUMN ${identifier(TEMPORARY)} `) ||
    (/^(UPDATE|INSERT) /.test(statement) && !isBeside(statement)) ||
    tables.some((table) => statement.startsWith(`DELETE FROM ${table} `));
  return statements.some(moves);
}

/** @param isNoted is a part needed without statements, since a revision declares renames? */
function partsOf(work: Work, isNoted: boolean, moves: boolean): readonly Part[] {
  const first = withSearchIndexes(work.statements, work.former, work.next);
  const late = [...first.late, ...work.late];
  const early = [...first.statements, ...beginTotal(work.former, work.next)];
  const isFirst = early.length > 0 || (isNoted && late.length === 0);
  const lateLosses = isFirst ? work.lateLosses : [...work.losses, ...work.lateLosses];
  const when = work.statements.every((statement) => ADDS.test(statement)) ? 'before' : 'during';
  const parts: readonly Part[] = [
    ...(isFirst ? [{ when, statements: early, losses: work.losses, ...(moves && { moves }) } as const] : []),
    ...(late.length > 0 ? [{ when: 'after', statements: late, losses: lateLosses } as const] : []),
  ];
  return parts.map((part) => ({ ...part, statements: [...part.statements, ROTATE_STAMPS] }));
}

/**
 * Plans the migration from one state to another. What is not declared as a rename is a removal and an addition.
 * @throws UserError for a rename that contradicts the states.
 */
export async function diffSchemas(previous: SchemaState, next: SchemaState, options: DiffOptions) {
  const { renames, defaultLocale, isForced, isByHand } = options;
  const work = newWork(previous, next, defaultLocale, isByHand);
  applyRenames(work, renames, isForced);
  matchTypes(work);
  await turnLinks(work);
  const ofTypes = renames.attributes.filter(({ type }) => next.layout.types[type]);
  work.statements.push(...ofTypes.map(renameInConditions));
  changeComponents(work, renames.attributes);
  changeAttributes(work);
  const apart = await changeTables(work, previous.snapshot, next.snapshot);
  shareAttributes(work);
  changeReferences(work);
  changeVersions(work, next.snapshot.tables);
  recount(work);
  work.statements.push(...work.last);
  const moves = movesValues(work);
  if (!apart) {
    work.statements.push(...work.late.splice(0));
    work.losses.push(...work.lateLosses.splice(0));
  }
  return {
    /** Those that have statements, in order. */
    parts: partsOf(work, renames.components.length > 0, moves),
    /** As in `Work`. */
    conversions: work.conversions,
    /** A few words for the file name: `add_articles`. */
    what: describe(previous, next, renames),
    next,
  };
}

export type SchemaDiff = Awaited<ReturnType<typeof diffSchemas>>;
