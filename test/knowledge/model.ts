/**
 * @module What is stored, and what changes it. Each pair has a test or a reason in `cells.ts`; a new table, kind of
 * attribute or cache without its cells does not compile.
 */
import type { Caches } from '../../src/content/runtime/caches.ts';
import type { Attribute } from '../../src/schema/model.ts';
import type { SYSTEM_TABLES } from '../../src/tables.ts';

/** Tables that no module declares with Drizzle, and what migrations make beside the columns of attributes. */
type OtherTable = 'commands' | 'folders' | 'imports' | 'migrations' | 'overflow column' | 'search index';

/** Objects of the buckets, by the form of their keys. */
type StoredObject = 'originals and formats' | 'pictures on request' | 'trash' | 'unfinished uploads';

export type Stored =
  | keyof typeof SYSTEM_TABLES
  | OtherTable
  | `${Attribute['kind']} attribute`
  | StoredObject
  | `cache of ${keyof Caches}`
  | 'shared cache';

export const WRITES = ['REST', 'batch', 'tools', 'own code', 'cron', 'upload', 'restoring', 'schedule'] as const;

export const MIGRATIONS = ['rename', 'retype', 'locales', 'drafts', 'single type', 'removal'] as const;

export const COMMANDS = [
  ...(['import', 'import --replace', 'import --only', 'export', 'backup', 'restore', 'purge'] as const),
  ...(['media check', 'deploy'] as const),
] as const;

export type Change = (typeof WRITES)[number] | (typeof MIGRATIONS)[number] | (typeof COMMANDS)[number];

/** A test that holds what the change does to what is stored, or why there is nothing to hold. */
export type Cell = { readonly file: string; readonly title: string } | { readonly reason: string };

export type Row = Readonly<Record<Change, Cell>>;

/** @param file below `test/` */
export const tested = (file: string, title: string): Cell => ({ file, title });

export const because = (reason: string): Cell => ({ reason });

/** Gives several changes one cell; the changes that no call names do not compile. */
export const each = <const Name extends Change>(names: readonly Name[], cell: Cell): Record<Name, Cell> =>
  Object.fromEntries(names.map((name) => [name, cell])) as Record<Name, Cell>;
