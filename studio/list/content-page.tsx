/**
 * @module The documents of a content type: `/content/articles?<query of the API>`. A single type shows its document.
 */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { type Query, readQuery, writeQuery } from '../api/query-string.ts';
import { rememberList } from '../document/neighbours.ts';
import { type ContentType, type Document, typeOfSegment } from '../model/model.ts';
import { mayDo } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Page } from '../shell/page.tsx';
import { NotFound } from '../shell/route-failure.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { BulkActions, bulkActions } from './bulk-actions.tsx';
import { columnsOf } from './columns.ts';
import { useListKeys } from './keys.ts';
import { placeOf } from './list-query.ts';
import { Pages } from './pages.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { keyOf, useList, useStates } from './use-list.ts';

/** A list does not wait for the code of forms. */
const DocumentPage = lazy(async () => ({ default: (await import('../document/document-page.tsx')).DocumentPage }));

const NARROWING = ['filters', '_q', 'publicationFilter', 'status', 'locale', 'pagination'];
const NONE: readonly Document[] = [];

function List({ type }: { readonly type: ContentType }) {
  const model = useModel();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const query = readQuery(search);
  const columns = columnsOf(model, type, query.fields);
  const { data, error, refetch, isPlaceholderData } = useList(type, query);
  const documents = data?.data ?? NONE;
  const states = useStates(type, query, documents);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = documents.filter((document) => chosen.has(keyOf(document)));
  const searchBox = useRef<HTMLInputElement>(null);

  const locale = typeof query.locale === 'string' && query.locale !== '*' ? `?locale=${query.locale}` : '';
  const address = mayDo(model, type, 'create') ? `/content/${type.segment}/new${locale}` : undefined;
  useListKeys(
    searchBox,
    useCallback(() => address && navigate(address), [address, navigate]),
  );
  useEffect(() => {
    const ids = documents.map(({ documentId }) => documentId);
    rememberList(type.segment, `${pathname}${search}`, ids);
  }, [type.segment, pathname, search, documents]);

  const change = (patch: Query) => {
    const pagination = query.pagination && { limit: placeOf(query).size };
    navigate({ search: writeQuery({ ...query, pagination, ...patch }) }, { flushSync: true });
  };
  const newButton = address && (
    <Link className="button primary" to={address} aria-keyshortcuts="n">
      New
    </Link>
  );
  const isNarrowed = NARROWING.some((name) => query[name] !== undefined);
  const clearButton = isNarrowed && <Button onClick={() => navigate({ search: '' })}>Clear search and filters</Button>;
  return (
    <Page title={type.name} actions={newButton}>
      <Toolbar type={type} query={query} columns={columns} searchRef={searchBox} onChange={change} />
      {selected.length > 0 && (
        <BulkActions type={type} documents={selected} onDone={(left) => setChosen(new Set(left.map(keyOf)))} />
      )}
      {error && (
        <div className="stack">
          <Failure error={error} onRetry={() => refetch()} />
          {clearButton}
        </div>
      )}
      {!error && !data && <Loading />}
      {!error && data && documents.length === 0 && (
        <Empty title={isNarrowed ? 'Nothing was found.' : 'There are no documents yet.'}>
          {clearButton || newButton}
        </Empty>
      )}
      {!error && data && documents.length > 0 && (
        <div aria-busy={isPlaceholderData} className="results">
          <Table
            type={type}
            query={query}
            columns={columns}
            documents={documents}
            states={states}
            onSort={(sort) => change({ sort })}
            selection={bulkActions(model, type).length > 0 ? new Set(selected.map(keyOf)) : undefined}
            onSelect={setChosen}
          />
          <Pages
            query={query}
            pagination={data.meta.pagination ?? {}}
            count={documents.length}
            onSize={(limit) => change({ pagination: { limit } })}
          />
        </div>
      )}
    </Page>
  );
}

export function ContentPage() {
  const { segment = '' } = useParams();
  const type = typeOfSegment(useModel(), segment);
  if (!type) return <NotFound />;
  if (type.kind === 'collectionType') return <List key={segment} type={type} />;
  return (
    <Suspense fallback={<Loading />}>
      <DocumentPage />
    </Suspense>
  );
}
