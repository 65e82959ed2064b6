/**
 * @module What a write has changed, for whatever goes by it: documents, and the types whose links have changed.
 */
import { stampName } from '../../registry/names.ts';
import type { Status } from '../../request/query-params.ts';
import type { LinkTable } from '../model/links.ts';
import type { WriteOp, WritePlan } from '../model/write-plan.ts';

export interface Touched {
  /** uid of the content type. */
  readonly uid: string;
  /** Absent: any document of the type. */
  readonly documentId?: string;
  /** Absent: any locale. */
  readonly locale?: string;
  /** Absent: both versions. */
  readonly status?: Status;
  /** `link`: only what links lead to or come from. */
  readonly operation: 'create' | 'update' | 'delete' | 'link';
}

const linked = (uid: string, status: Status): Touched => ({ uid, status, operation: 'link' });

const linkedBy = (tables: readonly LinkTable[], status: Status): readonly Touched[] =>
  tables.flatMap(({ source, target }) => [linked(source.uid, status), linked(target.uid, status)]);

/** Links go where their ends have gone, in either version. */
const unlinkedBy = (tables: readonly LinkTable[]): readonly Touched[] =>
  tables.flatMap((table) => [...linkedBy([table], 'draft'), ...linkedBy([table], 'published')]);

function touchedByOp(op: WriteOp): readonly Touched[] {
  switch (op.kind) {
    case 'insert':
    case 'update': {
      const { type, documentId, locale, status } = op.row;
      const operation = op.kind === 'insert' ? 'create' : 'update';
      return [{ uid: type.uid, ...(documentId !== undefined && { documentId }), locale, status, operation }];
    }
    case 'share': {
      const { type, documentId, status } = op.row;
      const row = { uid: type.uid, ...(documentId !== undefined && { documentId }), status } as const;
      return [{ ...row, operation: 'update' }, ...linkedBy(op.tables, status)];
    }
    case 'delete': {
      const { type, documentId, locale } = op.rows;
      const which = { uid: type.uid, ...(documentId !== undefined && { documentId }), operation: 'delete' } as const;
      if (locale === undefined) return [which];
      return [locale].flat().map((one) => ({ ...which, locale: one }));
    }
    case 'publish': {
      const { type, documentId, locale } = op.draft;
      const row = { uid: type.uid, ...(documentId !== undefined && { documentId }), locale } as const;
      const tables = op.ends.map(({ table }) => table);
      return [{ ...row, status: 'published', operation: 'update' }, ...linkedBy(tables, 'published')];
    }
    case 'adopt':
      return linkedBy(op.tables, op.row.status);
    case 'link':
      return linkedBy([op.table], op.status);
    case 'unlink':
      return unlinkedBy(op.ends.map(({ table }) => table));
    case 'assert-unique':
    case 'assert-free':
    case 'discount':
    case 'recount':
      return [];
    default:
      return op satisfies never;
  }
}

/** Each once, in the order of the plan. */
export function touchedBy(plan: WritePlan): readonly Touched[] {
  const all = plan.flatMap(touchedByOp).map((touched) => [JSON.stringify(touched), touched] as const);
  return [...new Map(all).values()];
}

/** The stamps that these changes make new. */
export function stampsOf(touched: readonly Touched[]): readonly string[] {
  const both = ['draft', 'published'] as const;
  const names = touched.flatMap(({ uid, status }) => (status ? [status] : both).map((each) => stampName(uid, each)));
  return [...new Set(names)].sort();
}
