/**
 * @module What a migration means for a local database that keeps content which no migration knows: it is counted, asked for
 * and renamed like content of the tables.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from '../../registry/model.ts';
import { type Layout, layoutOf } from '../migrations/layout.ts';
import type { CountedLoss } from '../migrations/losses.ts';
import type { AttributeRename, Renames, TableRename } from '../migrations/renames.ts';
import { nameOfType } from '../migrations/type-changes.ts';
import { executeSql } from '../platform/execute-sql.ts';
import { type Target, type Wrangler, wrangler } from '../platform/wrangler.ts';
import { keptSubjects } from './kept-report.ts';
import { COUNT_KEPT, groupsOf, type KeptGroup } from './kept-table.ts';
import { parseSchema, READ_SCHEMA } from './local-schema.ts';
import { typeWithTable } from './push-changes.ts';
import { stateFolder } from './state-folder.ts';

/** What a local database keeps beside its tables. */
export interface KeptContent {
  readonly groups: readonly KeptGroup[];
  /** Attributes of components. */
  readonly hidden: Layout['components'];
}

export const NOTHING_KEPT: KeptContent = { groups: [], hidden: {} };

/** Nothing where no local database is, or `npm run dev` has never changed it. */
export async function readKeptContent(root: string, target: Target, execute: Wrangler): Promise<KeptContent> {
  const isAbsent = execute === wrangler && !existsSync(join(stateFolder(root, target), 'v3'));
  if (target.remote || isAbsent) return NOTHING_KEPT;
  try {
    const [[note] = []] = await executeSql([READ_SCHEMA], target, execute);
    const { hidden, forms } = parseSchema(String(note?.schema));
    const [rows = []] = await executeSql([COUNT_KEPT], target, execute).catch(() => []);
    return { groups: groupsOf(rows, forms), hidden };
  } catch {
    return NOTHING_KEPT;
  }
}

interface Split {
  /** Renames of what migrations have made. */
  readonly made: Renames;
  /** Of what is kept alone. */
  readonly kept: Renames;
}

const isTypeNamed = (uid: string, name: string): boolean => uid === name || nameOfType(uid) === name;

/** @param state where the migrations lead to so far. */
export function splitRenames(renames: Renames, state: Layout, registry: Registry, kept: KeptContent): Split {
  const after = layoutOf(registry);
  const tableOf = (name: string) =>
    Object.entries(after.types).find(([uid, { table }]) => isTypeNamed(uid, name) || table === name)?.[1].table;
  const rowsOf = (from: string) =>
    kept.groups.find(({ kind, table, subject }) => kind === 'row' && [table, subject].includes(from));
  const keepsType = ({ from, to }: TableRename): boolean =>
    tableOf(to) !== undefined &&
    rowsOf(from) !== undefined &&
    !Object.entries(state.types).some(([uid, { table }]) => isTypeNamed(uid, from) || table === from);
  const tables = renames.tables.filter(keepsType);
  const formerTable = (table: string | undefined) =>
    rowsOf(tables.find(({ to }) => tableOf(to) === table)?.from ?? '')?.table ?? table;
  const keepsAttribute = ({ type, from, to }: AttributeRename): boolean => {
    const table = tableOf(type);
    const places = table === undefined ? state.components[type] : typeWithTable(state, table)?.attributes;
    const wanted = table === undefined ? after.components[type] : typeWithTable(after, table)?.attributes;
    if (places?.[from] || !wanted?.[to] || wanted[from]) return false;
    return (
      kept.hidden[type]?.[from] !== undefined ||
      kept.groups.some((each) => each.table === formerTable(table) && each.attribute === from)
    );
  };
  const attributes = renames.attributes.filter(keepsAttribute);
  return {
    made: {
      ...renames,
      attributes: renames.attributes.filter((each) => !attributes.includes(each)),
      tables: renames.tables.filter((each) => !tables.includes(each)),
    },
    kept: {
      attributes,
      tables: tables.map(({ from, to }) => ({ from: rowsOf(from)?.table ?? from, to: tableOf(to) ?? to })),
      components: [],
    },
  };
}

export interface KeptLosses {
  /** Those of the migration, with what is kept of them. */
  readonly losses: readonly CountedLoss[];
  /** What no migration knows and nothing has a place for. */
  readonly dropped: readonly CountedLoss[];
}

/** @param renames all of them, as the migration notes them. */
export function keptLosses(
  losses: readonly CountedLoss[],
  { groups, hidden }: KeptContent,
  registry: Registry,
  renames: Renames,
): KeptLosses {
  const after = layoutOf(registry);
  const countOf = (subject: string): number =>
    Math.max(0, ...groups.filter((group) => group.subject === subject).map(({ rows }) => rows));
  const renamed = new Set([
    ...renames.attributes.map(({ type, from }) => `${after.components[type] ? type : nameOfType(type)}.${from}`),
    ...renames.tables.map(
      ({ from }) => groups.find(({ kind, table }) => kind === 'row' && table === from)?.subject ?? from,
    ),
  ]);
  const known = new Set(losses.map(({ subject }) => subject));
  const subjects = keptSubjects(groups, hidden, after).map(({ subject }) => subject);
  const reason = 'kept by npm run dev, in no migration and not in the files any more';
  return {
    losses: losses.map((loss) => ({ ...loss, rows: addedTo(loss.rows, countOf(loss.subject)) })),
    dropped: subjects
      .filter((subject) => !known.has(subject) && !renamed.has(subject))
      .map((subject) => ({ subject, reason, counts: [], rows: countOf(subject) || undefined })),
  };
}

const addedTo = (rows: number | undefined, kept: number): number | undefined =>
  kept === 0 ? rows : (rows ?? 0) + kept;
