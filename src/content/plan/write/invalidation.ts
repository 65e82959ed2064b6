/**
 * @module The version stamps that a write rotates: of every version of a type whose rows or links change.
 */
import type { ContentType } from '../../../schema/model.ts';
import type { LinkEnd, LinkTable } from '../model/links.ts';
import { stampsOf } from '../model/versions.ts';
import type { WriteOp, WritePlan } from '../model/write-plan.ts';

const endsOf = (tables: readonly LinkTable[]): readonly ContentType[] =>
  tables.flatMap(({ source, target }) => [source, target]);

const tablesOf = (ends: readonly LinkEnd[]): readonly LinkTable[] => ends.flatMap(({ tables }) => tables);

function stampsOfOp(op: WriteOp): readonly string[] {
  switch (op.kind) {
    case 'insert':
    case 'update':
      return stampsOf([op.row.type], [op.row.status]);
    case 'share':
      return stampsOf([op.row.type, ...endsOf(op.tables)], [op.row.status]);
    case 'inherit':
      return stampsOf(endsOf(op.tables), [op.row.status]);
    case 'delete':
      return stampsOf([op.rows.type], op.rows.status && [op.rows.status]);
    case 'discard':
      return stampsOf([op.draft.type, ...endsOf(tablesOf(op.ends))], ['draft']);
    case 'publish':
      return stampsOf([op.draft.type, ...endsOf(tablesOf(op.ends))], ['published']);
    case 'link':
      return stampsOf(endsOf(op.tables), [op.status]);
    case 'attach':
      return stampsOf([op.table.source]);
    case 'unlink':
    case 'leave-links':
      return stampsOf(endsOf(tablesOf(op.ends)), op.rows.status && [op.rows.status]);
    case 'assert-unique':
    case 'assert-free':
    case 'discount':
    case 'recount':
      return [];
    default:
      return op satisfies never;
  }
}

/** Returns the names of the stamps, repeated and in the order of the plan. */
export const rotatedStamps = (plan: WritePlan): readonly string[] => plan.flatMap(stampsOfOp);
