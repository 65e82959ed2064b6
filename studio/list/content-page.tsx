/**
 * @module The documents of a content type: `/content/articles?<query of the API>`. A single type shows its document.
 */
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { rememberList } from '../document/neighbours.ts';
import { type ContentType, mayDo, typeOfSegment } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { NotFound, Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { BulkActions, bulkActions } from './bulk-actions.tsx';
import { Pages } from './pages.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { useList } from './use-list.ts';

const TYPING = 'input:not([type="checkbox"]), select, textarea, [role="dialog"]';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** Arrows scroll the page until a row has the focus. */
function moveRow(key: string): boolean {
  const titles = [...document.querySelectorAll<HTMLElement>('.row-title')];
  const index = titles.findIndex((title) => title.closest('tr')?.contains(document.activeElement));
  const step = STEPS[key];
  if (step === undefined || (index < 0 && key.startsWith('Arrow'))) return false;
  titles[Math.max(0, Math.min(titles.length - 1, index + step))]?.focus();
  return true;
}

/** Keys of a list: `/` searches, `n` makes a document, arrows and `j`/`k` go through the rows. */
function useListKeys(search: RefObject<HTMLInputElement | null>, startNew: () => unknown): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest(TYPING);
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      if (event.key === '/') search.current?.focus();
      else if (event.key === 'n') startNew();
      else if (!moveRow(event.key)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [search, startNew]);
}

/** A list does not wait for the code of forms. */
const DocumentPage = lazy(async () => ({ default: (await import('../document/document-page.tsx')).DocumentPage }));

const NARROWING = ['filters', '_q', 'publicationFilter', 'status', 'locale', 'pagination'];
function ListPage({ type }: { readonly type: ContentType }) {
  const model = useModel();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const list = useList(type);
  const { query, documents } = list;
  const { data, error, refetch, isPlaceholderData } = list.answer;
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

  const newButton = address && (
    <Link className="button primary" to={address} aria-keyshortcuts="n">
      New
    </Link>
  );
  const isNarrowed = NARROWING.some((name) => query[name] !== undefined);
  const clearButton = isNarrowed && <Button onClick={() => navigate({ search: '' })}>Clear search and filters</Button>;
  return (
    <Page title={type.name} actions={newButton}>
      <Toolbar list={list} searchRef={searchBox} />
      {list.selection.size > 0 && <BulkActions list={list} />}
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
      {!error && documents.length > 0 && (
        <div aria-busy={isPlaceholderData} className="results">
          <Table list={list} isSelectable={bulkActions(model, type).length > 0} />
          <Pages list={list} />
        </div>
      )}
    </Page>
  );
}

export function ContentPage() {
  const { segment = '' } = useParams();
  const type = typeOfSegment(useModel(), segment);
  if (!type) return <NotFound />;
  if (type.kind === 'collectionType') return <ListPage key={segment} type={type} />;
  return (
    <Suspense fallback={<Loading />}>
      <DocumentPage />
    </Suspense>
  );
}
