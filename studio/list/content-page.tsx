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
import { keyOf, placeOf } from './list-query.ts';
import { Pages } from './pages.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { useList, useStates } from './use-list.ts';

/** A list does not wait for the code of forms. */
const DocumentPage = lazy(async () => ({ default: (await import('../document/document-page.tsx')).DocumentPage }));

const NARROWING = ['filters', '_q', 'publicationFilter', 'status', 'locale', 'pagination'];

function NothingFound({ query, onClear }: { readonly query: Query; readonly onClear: () => void }) {
  const isNarrowed = NARROWING.some((name) => query[name] !== undefined);
  if (!isNarrowed) return <Empty title="There are no documents yet." />;
  return (
    <Empty title="Nothing was found.">
      <Button onClick={onClear}>Clear search and filters</Button>
    </Empty>
  );
}

const NONE: readonly Document[] = [];

function List({ type }: { readonly type: ContentType }) {
  const model = useModel();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const query = readQuery(search);
  const { data, error, refetch, isPlaceholderData } = useList(type, query);
  const documents = data?.data ?? NONE;
  const states = useStates(type, query, documents);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const searchBox = useRef<HTMLInputElement>(null);

  const locale = typeof query.locale === 'string' && query.locale !== '*' ? `?locale=${query.locale}` : '';
  const address = mayDo(model, type, 'create') ? `/content/${type.segment}/new${locale}` : undefined;
  const startNew = useCallback(() => address && navigate(address), [address, navigate]);
  useListKeys(searchBox, startNew);
  useEffect(() => {
    const ids = documents.map(({ documentId }) => documentId);
    rememberList(type.segment, `${pathname}${search}`, ids);
  }, [type.segment, pathname, search, documents]);

  const change = (patch: Query) => {
    const { size } = placeOf(query);
    const pagination = query.pagination === undefined ? undefined : { limit: size };
    navigate({ search: writeQuery({ ...query, pagination, ...patch }) });
  };
  const selected = documents.filter((document) => chosen.has(keyOf(document)));
  const columns = columnsOf(model, type, query.fields);
  const newButton = address && (
    <Link className="button primary" to={address} aria-keyshortcuts="n">
      New
    </Link>
  );
  return (
    <Page title={type.name} actions={newButton}>
      <Toolbar type={type} query={query} columns={columns} searchRef={searchBox} onChange={change} />
      {selected.length > 0 && (
        <BulkActions type={type} documents={selected} onDone={(left) => setChosen(new Set(left.map(keyOf)))} />
      )}
      {error && <Failure error={error} onRetry={() => refetch()} />}
      {!error && !data && <Loading />}
      {!error && data && documents.length === 0 && (
        <NothingFound query={query} onClear={() => navigate({ search: '' })} />
      )}
      {!error && documents.length > 0 && (
        <div aria-busy={isPlaceholderData} className="results">
          <Table
            type={type}
            columns={columns}
            documents={documents}
            states={states}
            query={query}
            onSort={(sort) => change({ sort })}
            selection={bulkActions(model, type).length > 0 ? new Set(selected.map(keyOf)) : undefined}
            onSelect={setChosen}
          />
          <Pages
            query={query}
            pagination={data?.meta.pagination ?? {}}
            count={documents.length}
            onSize={(limit) => change({ pagination: { limit } })}
          />
        </div>
      )}
    </Page>
  );
}

export function ContentPage() {
  const model = useModel();
  const { segment = '' } = useParams();
  const type = typeOfSegment(model, segment);
  if (!type) return <NotFound />;
  if (type.kind === 'collectionType') return <List key={segment} type={type} />;
  return (
    <Suspense fallback={<Loading />}>
      <DocumentPage />
    </Suspense>
  );
}
