/**
 * @module The way from page to page: by number, and by cursor where there are many documents.
 */
import { Link, useLocation } from 'react-router';
import { type Query, writeQuery } from '../api/query-string.ts';
import { Select } from '../ui/inputs.tsx';
import { MANY_DOCUMENTS, placeOf } from './list-query.ts';
import type { List } from './use-list.ts';

/** What a page by cursor knows of the pages before it. */
interface Walk {
  readonly total?: number | undefined;
  /** Cursors of the pages before, the first one empty. */
  readonly before: readonly string[];
}

interface Step {
  readonly label: string;
  readonly pagination: Query;
  readonly walk?: Walk;
  readonly isCurrent?: boolean;
}

function stepsByCursor(query: Query, next: string | null | undefined, { total, before }: Walk): readonly Step[] {
  const { size: limit, after } = placeOf(query);
  const back = before.at(-1);
  const at = (cursor: string): Query => (cursor ? { after: cursor, limit } : { limit });
  return [
    ...(after ? [{ label: 'First page', pagination: { limit } }] : []),
    ...(back === undefined
      ? []
      : [{ label: 'Previous', pagination: at(back), walk: { total, before: before.slice(0, -1) } }]),
    ...(next ? [{ label: 'Next', pagination: at(next), walk: { total, before: [...before, after ?? ''] } }] : []),
  ];
}

/** The first page, the last one, and those around the current one. */
function stepsByNumber(query: Query, total: number): readonly Step[] {
  const { size, page } = placeOf(query);
  const last = Math.ceil(total / size);
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  return numbers
    .filter((number) => last > 1 && (number === 1 || number === last || Math.abs(number - page) <= 2))
    .map((number) => ({
      label: String(number),
      pagination: { page: number, pageSize: size },
      isCurrent: number === page,
    }));
}

export function Pages({ list: { query, answer, documents, change } }: { readonly list: List }) {
  const pagination = answer.data?.meta.pagination ?? {};
  const known: Walk = useLocation().state ?? { before: [] };
  const { size, after, page } = placeOf(query);
  const total = pagination.total ?? known.total ?? 0;
  const isWalk = Boolean(after) || (page === 1 && total > MANY_DOCUMENTS);
  const first = (isWalk ? known.before.length : page - 1) * size;
  const steps = isWalk ? stepsByCursor(query, pagination.next, { ...known, total }) : stepsByNumber(query, total);
  const sizes = [25, 50, 100].map((choice) => [choice, `${choice} a page`]);
  return (
    <nav className="row pages" aria-label="Pages">
      {total > 0 && (
        <span className="muted">
          {`${(first + 1).toLocaleString()}–${(first + documents.length).toLocaleString()} of ${total.toLocaleString()}`}
        </span>
      )}
      {steps.map(({ label, pagination: to, walk, isCurrent }) => (
        <Link
          key={label}
          className={`button ${isCurrent ? 'current' : ''}`}
          aria-current={isCurrent ? 'page' : undefined}
          to={{ search: writeQuery({ ...query, pagination: to }) }}
          state={walk}
        >
          {label}
        </Link>
      ))}
      <Select
        label="Documents on a page"
        value={String(size)}
        options={Object.fromEntries(sizes)}
        onChange={(limit) => change({ pagination: { limit } })}
      />
    </nav>
  );
}
