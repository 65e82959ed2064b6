/**
 * @module What a write has changed, for whatever goes by it: documents, and the types whose links have changed.
 */
import type { WriteOp, WritePlan } from './write-plan.ts';

export interface Touched {
  /** uid of the content type. */
  readonly uid: string;
  /** Absent: any document of the type. */
  readonly documentId?: string;
  /** Absent: any locale. */
  readonly locale?: string;
  /** `link`: only what links lead to or come from. */
  readonly operation: 'create' | 'update' | 'delete' | 'link';
}

const linked = (uid: string): Touched => ({ uid, operation: 'link' });

function touchedByOp(op: WriteOp): readonly Touched[] {
  switch (op.kind) {
    case 'insert':
    case 'update': {
      const { type, documentId, locale } = op.row;
      const operation = op.kind === 'insert' ? 'create' : 'update';
      return [{ uid: type.uid, ...(documentId !== undefined && { documentId }), locale, operation }];
    }
    case 'share': {
      const { type, documentId } = op.row;
      return [{ uid: type.uid, ...(documentId !== undefined && { documentId }), operation: 'update' }];
    }
    case 'delete': {
      const { type, documentId, locale } = op.rows;
      const which = { ...(documentId !== undefined && { documentId }), ...(locale !== undefined && { locale }) };
      return [{ uid: type.uid, ...which, operation: 'delete' }];
    }
    case 'link':
    case 'link-back':
      return [linked(op.table.source.uid), linked(op.table.target.uid)];
    case 'unlink-rows':
    case 'unlink-targets':
      return op.tables.flatMap(({ source, target }) => [linked(source.uid), linked(target.uid)]);
    default:
      return [];
  }
}

/** Each once, in the order of the plan. */
export function touchedBy(plan: WritePlan): readonly Touched[] {
  const all = plan.flatMap(touchedByOp).map((touched) => [JSON.stringify(touched), touched] as const);
  return [...new Map(all).values()];
}
