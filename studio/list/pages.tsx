/**
 * @module The way from page to page: by number, and by cursor where there are many documents.
 */
import { Link, useLocation } from 'react-router';
import { type Query, writeQuery } from '../api/query-string.ts';
import type { Pagination } from '../api/request.ts';
import { MANY_DOCUMENTS, PAGE_SIZES, placeOf } from './list-query.ts';

/** What a page by cursor knows of the pages before it. */
interface Walk {
  readonly total?: number | undefined;
  /** Cursors of the pages before, the first one empty. */
  readonly before: readonly string[];
}

interface PagesProps {
  readonly query: Query;
  readonly pagination: Pagination;
  readonly count: number;
  readonly onSize: (size: number) => void;
}

const NEAR = 2;

/** Returns the first, the last, and the pages around the current one. */
const numbersAround = (page: number, last: number): readonly number[] =>
  Array.from({ length: last }, (_, index) => index + 1).filter(
    (number) => number === 1 || number === last || Math.abs(number - page) <= NEAR,
  );

interface StepProps {
  readonly query: Query;
  readonly pagination: Query | undefined;
  readonly walk?: Walk;
  readonly label: string;
  readonly isCurrent?: boolean;
}

const Step = ({ query, pagination, walk, label, isCurrent }: StepProps) => (
  <Link
    className={`button ${isCurrent ? 'current' : ''}`}
    aria-current={isCurrent ? 'page' : undefined}
    to={{ search: writeQuery({ ...query, pagination }) }}
    state={walk}
  >
    {label}
  </Link>
);

function Cursors({
  query,
  pagination,
  walk,
}: {
  readonly query: Query;
  readonly pagination: Pagination;
  readonly walk: Walk;
}) {
  const { size, after } = placeOf(query);
  const at = (cursor: string | undefined): Query => (cursor ? { after: cursor, limit: size } : { limit: size });
  const back = walk.before.at(-1);
  const earlier = { ...walk, before: walk.before.slice(0, -1) };
  const later = { ...walk, before: [...walk.before, after ?? ''] };
  return (
    <>
      {after && <Step query={query} pagination={at(undefined)} label="First page" />}
      {back !== undefined && <Step query={query} pagination={at(back)} walk={earlier} label="Previous" />}
      {pagination.next && <Step query={query} pagination={at(pagination.next)} walk={later} label="Next" />}
    </>
  );
}

function Numbers({ query, total }: { readonly query: Query; readonly total: number }) {
  const { size, page } = placeOf(query);
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1 && page === 1) return null;
  return numbersAround(page, last).map((number) => (
    <Step
      key={number}
      query={query}
      pagination={{ page: number, pageSize: size }}
      label={String(number)}
      isCurrent={number === page}
    />
  ));
}

export function Pages({ query, pagination, count, onSize }: PagesProps) {
  const { state } = useLocation();
  const { size, after, page } = placeOf(query);
  const known = (state ?? { before: [] }) as Walk;
  const total = pagination.total ?? known.total;
  const isWalk = after !== undefined || (page === 1 && (total ?? 0) > MANY_DOCUMENTS);
  const from = (isWalk ? known.before.length : page - 1) * size + 1;
  const isPlaced = !after || known.before.length > 0;
  return (
    <nav className="pages" aria-label="Pages">
      <span className="muted">
        {isPlaced && `${from.toLocaleString()}–${(from + count - 1).toLocaleString()}`}
        {total !== undefined && ` of ${total.toLocaleString()}`}
      </span>
      {isWalk ? (
        <Cursors query={query} pagination={pagination} walk={{ ...known, total }} />
      ) : (
        <Numbers query={query} total={total ?? 0} />
      )}
      <select aria-label="Documents on a page" value={size} onChange={(event) => onSize(Number(event.target.value))}>
        {[...new Set([...PAGE_SIZES, size])].map((choice) => (
          <option key={choice} value={choice}>
            {choice} a page
          </option>
        ))}
      </select>
    </nav>
  );
}
