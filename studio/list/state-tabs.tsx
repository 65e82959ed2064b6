/**
 * @module Tabs of a list by the states of its documents, each with its count.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Query, writeQuery } from '../api/query-string.ts';
import { type ResponseBody, readOf } from '../api/request.ts';
import { type ContentType, editedStatus, versionQuery } from '../model/model.ts';
import { STATE_NAMES } from '../shell/document-link.tsx';
import { numberText, text, textsOf } from '../texts/text.ts';
import { listStatus, MANY_DOCUMENTS, placeOf } from './list-query.ts';
import type { List } from './use-list.ts';

/** What each tab adds to a request. Published versions are filtered by their own values. */
const TABS: Readonly<Record<string, Query>> = {
  all: {},
  draft: { publicationFilter: 'never-published' },
  modified: { publicationFilter: 'modified' },
  published: { status: 'published' },
};

const ofTab = (query: Query, name: string): Query => ({
  ...query,
  publicationFilter: undefined,
  status: undefined,
  ...TABS[name],
});

const isAt = (query: Query, name: string): boolean =>
  ['publicationFilter', 'status'].every((key) => query[key] === ofTab(query, name)[key]);

export const isStateTab = (query: Query): boolean => Object.keys(TABS).some((name) => isAt(query, name));

/** Milliseconds that a count serves without a change made here. */
const COUNT_LIFE = 30_000;

const countOf = (type: ContentType, query: Query) => {
  const { filters, _q, publicationFilter, locale } = query;
  const version = versionQuery(type, listStatus(type, query), locale);
  const pagination = { page: 1, pageSize: 1 };
  return {
    ...readOf<ResponseBody<unknown>>(type.path, {
      fields: ['documentId'],
      ...version,
      filters,
      _q,
      publicationFilter,
      pagination,
    }),
    select: ({ meta }: ResponseBody<unknown>) => meta.pagination?.total,
    staleTime: COUNT_LIFE,
  };
};

/** The server keeps the number of all versions. Other counts read the whole type, so only small ones are counted. */
function useCounts({ type, query, result }: List): readonly (number | undefined)[] {
  const total = result.isPlaceholderData ? undefined : result.data?.meta.pagination?.total;
  const isWhole = (asked: Query) => ['filters', '_q', 'publicationFilter'].every((name) => asked[name] === undefined);
  const isLoaded = result.data !== undefined;
  const isKnown = isAt(query, 'all') && isWhole(query) && total !== undefined;
  const whole = useQuery({ ...countOf(type, { locale: query.locale }), enabled: isLoaded && !isKnown });
  const isSmall = ((isKnown ? total : whole.data) ?? Number.POSITIVE_INFINITY) <= MANY_DOCUMENTS;
  const known = (name: string) => (isAt(query, name) ? total : undefined);
  const counts = useQueries({
    queries: Object.keys(TABS).map((name) => {
      const asked = ofTab(query, name);
      const isCounted = isLoaded && known(name) === undefined && (isSmall || isWhole(asked));
      return { ...countOf(type, asked), enabled: isCounted };
    }),
  });
  return Object.keys(TABS).map((name, index) => known(name) ?? counts[index]?.data);
}

/** Of most lists: nothing moves as the counts come. */
const FEWEST_DIGITS = 2;

interface CountProps {
  readonly of: number | undefined;
  /** It takes at least their width, known or not. */
  readonly digits: number;
}

const Count = ({ of, digits }: CountProps) => (
  <span className={of === undefined ? 'badge place' : 'badge'} style={{ minWidth: `calc(${digits}ch + 14px)` }}>
    {of === undefined ? '' : numberText(of)}
  </span>
);

function Tabs({ list }: { readonly list: List }) {
  const { query } = list;
  const counts = useCounts(list);
  const total = list.result.data?.meta.pagination?.total ?? 0;
  const digits = Math.max(FEWEST_DIGITS, numberText(total).length);
  const names = { all: text('All'), ...textsOf(STATE_NAMES) };
  const pagination = query.pagination && { limit: placeOf(query).size };
  return (
    <nav className="tabs" aria-label={text('State')}>
      {Object.entries(names).map(([name, label], index) => {
        const current = isAt(query, name) ? { 'aria-current': 'page' as const, 'data-active': '' } : {};
        return (
          <Link key={name} to={{ search: writeQuery({ ...ofTab(query, name), pagination }) }} {...current}>
            {label} <Count of={counts[index]} digits={digits} />
          </Link>
        );
      })}
    </nav>
  );
}

/** Nothing for types without drafts, and for callers who do not read them. */
export const StateTabs = ({ list }: { readonly list: List }) =>
  editedStatus(list.type) === 'draft' && <Tabs list={list} />;
