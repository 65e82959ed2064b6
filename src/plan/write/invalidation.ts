/**
 * @module The version stamps that a write rotates: of every version of a type whose rows or links change.
 */
import type { ContentType } from '../../registry/model.ts';
import { stampName } from '../../registry/names.ts';
import type { Status } from '../../request/query-params.ts';
import type { LinkTable } from '../model/links.ts';
import type { WriteOp, WritePlan } from '../model/write-plan.ts';

const BOTH = ['draft', 'published'] as const;

export const stampsOfTypes = (types: readonly ContentType[], statuses: readonly Status[] = BOTH): readonly string[] =>
  types.flatMap(({ uid }) => statuses.map((status) => stampName(uid, status)));

const endsOf = (tables: readonly LinkTable[]): readonly ContentType[] =>
  tables.flatMap(({ source, target }) => [source, target]);

function stampsOfOp(op: WriteOp): readonly string[] {
  switch (op.kind) {
    case 'insert':
    case 'update':
      return stampsOfTypes([op.row.type], [op.row.status]);
    case 'share':
      return stampsOfTypes([op.row.type, ...endsOf(op.tables)], [op.row.status]);
    case 'inherit':
      return stampsOfTypes(endsOf(op.tables), [op.row.status]);
    case 'delete':
      return stampsOfTypes([op.rows.type]);
    case 'publish':
      return stampsOfTypes([op.draft.type, ...endsOf(op.ends.map(({ table }) => table))], ['published']);
    case 'link':
      return stampsOfTypes(endsOf([op.table]), [op.status]);
    case 'unlink':
      return stampsOfTypes(endsOf(op.ends.map(({ table }) => table)));
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
