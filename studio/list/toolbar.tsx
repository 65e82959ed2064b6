/**
 * @module What stands above a list: search, filters, locale and columns; and below it the way from page to page.
 */
import { lazy, Suspense, useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { type Query, writeQuery } from '../api/query-string.ts';
import { readableAttributes } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Checks, DelayedInput, Select } from '../ui/inputs.tsx';
import { Popover } from '../ui/popover.tsx';
import { readFilters } from './filters.ts';
import { MANY_DOCUMENTS, placeOf } from './list-query.ts';
import { SavedFilters } from './saved-filters.tsx';
import type { List } from './use-list.ts';
import { hasPublicationTime } from './view.ts';

/** A list does not wait for its form of filters. */
const loadFilterBuilder = () => import('./filter-builder.tsx');
const FilterBuilder = lazy(async () => ({ default: (await loadFilterBuilder()).FilterBuilder }));

function Columns({ list: { type, columns, change } }: { readonly list: List }) {
  const offered = readableAttributes(useModel(), type.uid).filter(([name]) => name !== type.titleAttribute);
  return (
    <Popover label={text('Columns')} trigger={<Button label={text('Columns')} icon="list" />}>
      <Checks
        names={offered.map(([name]) => name)}
        chosen={columns.map(([name]) => name)}
        onChange={(names) => change({ fields: [type.titleAttribute, ...names] })}
      />
      <Button label={text('As at first')} look="quiet" onClick={() => change({ fields: undefined })} />
    </Popover>
  );
}

const PUBLISHED = { status: 'published', publicationFilter: undefined };

export function Toolbar({ list }: { readonly list: List }) {
  const { type, query, change } = list;
  const { locales, defaultLocale } = useModel();
  const { length } = readFilters(query.filters).parts;
  useEffect(() => void loadFilterBuilder().catch(() => {}), []);
  const set = (name: string, initially?: string) => (value: string) =>
    change({ [name]: value === '' || value === initially ? undefined : value });
  return (
    <div className="row">
      <DelayedInput
        type="search"
        label={text('Search {name}', { name: type.plural })}
        aria-keyshortcuts="f"
        value={String(query._q ?? '')}
        onCommit={set('_q')}
      />
      <Popover
        label={text('Filters')}
        trigger={
          <Button
            label={length > 0 ? text('Filters ({count})', { count: length }) : text('Filters')}
            icon="filter"
            className={length > 0 ? 'current' : ''}
          />
        }
      >
        <Suspense>
          <FilterBuilder
            uid={type.uid}
            filters={query.filters}
            onChange={(filters) => change({ filters, ...(hasPublicationTime(type, filters) && PUBLISHED) })}
          />
        </Suspense>
      </Popover>
      <SavedFilters list={list} />
      {type.isLocalized && (
        <Select
          label={text('Locale')}
          value={String(query.locale ?? defaultLocale ?? '')}
          options={{ ...locales, '*': text('All locales') }}
          onChange={set('locale', defaultLocale)}
        />
      )}
      <Columns list={list} />
    </div>
  );
}

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
    ...(after ? [{ label: text('First page'), pagination: { limit } }] : []),
    ...(back === undefined
      ? []
      : [{ label: text('Previous'), pagination: at(back), walk: { total, before: before.slice(0, -1) } }]),
    ...(next ? [{ label: text('Next'), pagination: at(next), walk: { total, before: [...before, after ?? ''] } }] : []),
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

/** Pages have numbers, or cursors where there are many documents. */
export function Pages({ list: { query, result, documents, change } }: { readonly list: List }) {
  const pagination = result.data?.meta.pagination ?? {};
  const known: Walk = useLocation().state ?? { before: [] };
  const { size, after, page } = placeOf(query);
  const total = pagination.total ?? known.total ?? 0;
  const isWalk = Boolean(after) || (page === 1 && total > MANY_DOCUMENTS);
  const first = (isWalk ? known.before.length : page - 1) * size;
  const steps = isWalk ? stepsByCursor(query, pagination.next, { ...known, total }) : stepsByNumber(query, total);
  const sizes = [25, 50, 100].map((choice) => [choice, text('{count} per page', { count: choice })]);
  return (
    <nav className="row" aria-label={text('Pages')}>
      {total > 0 && (
        <span className="muted">
          {text('{from}–{to} of {total}', { from: first + 1, to: first + documents.length, total })}
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
      <div className="row end">
        <Select
          label={text('Documents on a page')}
          value={String(size)}
          options={Object.fromEntries(sizes)}
          onChange={(limit) => change({ pagination: { limit } })}
        />
      </div>
    </nav>
  );
}
