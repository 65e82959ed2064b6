/**
 * @module The documents of a content type: `/content/articles?<query of the API>`. A single type shows its document.
 */
import { lazy, Suspense, useEffect } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { rememberList } from '../document/neighbours.ts';
import { type ContentType, typeOfSegment } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { NotFound, Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { Empty, Loading, Result } from '../ui/states.tsx';
import { BulkActions, bulkActions } from './bulk-actions.tsx';
import { Pages } from './pages.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { useList } from './use-list.ts';

/** Moves the focus by rows. Arrows scroll the page until a row has the focus. */
function moveRow(step: number, isArrow: boolean): boolean {
  const titles = [...document.querySelectorAll<HTMLElement>('.row-title')];
  const index = titles.findIndex((title) => title.closest('tr')?.contains(document.activeElement));
  if (index < 0 && isArrow) return false;
  titles[Math.max(0, Math.min(titles.length - 1, index + step))]?.focus();
  return true;
}

/** A list does not wait for the code of forms. */
const DocumentPage = lazy(async () => ({ default: (await import('../document/document-page.tsx')).DocumentPage }));

const NARROWING = ['filters', '_q', 'publicationFilter', 'status', 'locale', 'pagination'];
function ListPage({ type }: { readonly type: ContentType }) {
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const list = useList(type);
  const { query, documents } = list;
  const locale = typeof query.locale === 'string' && query.locale !== '*' ? `?locale=${query.locale}` : '';
  const address = type.actions.has('create') ? `/content/${type.segment}/new${locale}` : undefined;
  useKeys({
    '/': () => document.querySelector<HTMLElement>('[aria-keyshortcuts="/"]')?.focus(),
    n: () => address && navigate(address),
    j: () => moveRow(1, false),
    k: () => moveRow(-1, false),
    ArrowDown: () => moveRow(1, true),
    ArrowUp: () => moveRow(-1, true),
  });
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
      <Toolbar list={list} />
      {list.selection.size > 0 && <BulkActions list={list} />}
      <Result of={list.answer}>
        {() =>
          documents.length === 0 ? (
            <Empty title={isNarrowed ? 'Nothing was found.' : 'There are no documents yet.'}>
              {clearButton || newButton}
            </Empty>
          ) : (
            <div aria-busy={list.answer.isPlaceholderData} className="stack">
              <Table list={list} isSelectable={bulkActions(type).length > 0} />
              <Pages list={list} />
            </div>
          )
        }
      </Result>
      {list.answer.error && <div>{clearButton}</div>}
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
