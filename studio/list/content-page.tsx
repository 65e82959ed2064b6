/**
 * @module The documents of a content type: `/content/articles?<query of the API>`. A single type shows its document.
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { newScreenOf, useKeptChanges } from '../document/kept-changes.ts';
import { type ContentType, typeOfSegment } from '../model/model.ts';
import { rememberList } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { NotFound, PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Button, Icon } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { Empty, Loading, Notice, Result } from '../ui/states.tsx';
import { Chips } from './chips.tsx';
import { placeOf } from './list-query.ts';
import { StateTabs } from './state-tabs.tsx';
import { Table } from './table.tsx';
import { Pages, Toolbar } from './toolbar.tsx';
import { type BulkState, bulkActions, IDLE, useList } from './use-list.ts';
import { NARROWING, NO_FILTERS } from './view.ts';

/** Moves the focus by rows. Arrows scroll the page until a row has the focus. */
function moveRow(step: number, isArrow: boolean): boolean {
  const titles = [...document.querySelectorAll<HTMLElement>('.row-title')];
  const index = titles.findIndex((title) => title.closest('tr')?.contains(document.activeElement));
  if (index < 0 && isArrow) return false;
  titles[Math.max(0, Math.min(titles.length - 1, index + step))]?.focus();
  return true;
}

/** Selects the row whose title has the focus, or takes it out of the selection. */
function selectRow(): boolean {
  const box = document.querySelector<HTMLElement>('tr:has(.row-title:focus) input[type="checkbox"]');
  box?.click();
  return box !== null;
}

const ROW_KEYS = {
  j: () => moveRow(1, false),
  k: () => moveRow(-1, false),
  ArrowDown: () => moveRow(1, true),
  ArrowUp: () => moveRow(-1, true),
  ' ': selectRow,
};

/** A list does not wait for the code of forms. */
const DocumentPage = lazy(async () => ({ default: (await import('../document/document-page.tsx')).DocumentPage }));

const BulkActions = lazy(async () => ({ default: (await import('./bulk-actions.tsx')).BulkActions }));

function ListPage({ type }: { readonly type: ContentType }) {
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const hasKeptChanges = useKeptChanges();
  const list = useList(type);
  const [bulk, setBulk] = useState<BulkState>(IDLE);
  const { query, documents } = list;
  const locale = typeof query.locale === 'string' && query.locale !== '*' ? query.locale : undefined;
  const address = type.actions.has('create') ? newScreenOf(type, locale) : undefined;
  useKeys({
    f: () => document.querySelector<HTMLElement>('[aria-keyshortcuts="f"]')?.focus(),
    n: () => address && navigate(address),
    ...ROW_KEYS,
  });
  useEffect(() => {
    rememberList(type.segment, `${pathname}${search}`, documents);
  }, [type.segment, pathname, search, documents]);

  const newButton = address && (
    <Link className="button primary" to={address} aria-keyshortcuts="n">
      <Icon name="add" />
      {text('New {name}', { name: type.name })}
    </Link>
  );
  const { error } = list.result;
  const { page, after } = placeOf(query);
  const isNarrowed = page > 1 || after !== undefined || NARROWING.some((name) => query[name] !== undefined);
  const clear = () => list.change({ ...NO_FILTERS, ...(error && { sort: undefined }) });
  const clearButton = (isNarrowed || error) && <Button label={text('Clear search and filters')} onClick={clear} />;
  return (
    <PageLayout title={type.plural} actions={newButton}>
      {address && hasKeptChanges({ type, documentId: undefined, locale: undefined }) && (
        <Notice action={text('Go on')} onAct={() => navigate(address)}>
          {text('There is a new document that is not saved.')}
        </Notice>
      )}
      <Toolbar list={list} />
      <Chips list={list} />
      <StateTabs list={list} />
      {(list.selection.size > 0 || bulk !== IDLE) && (
        <Suspense>
          <BulkActions list={list} bulk={bulk} setBulk={setBulk} />
        </Suspense>
      )}
      <Result of={list.result}>
        {() =>
          documents.length === 0 ? (
            <Empty title={text(isNarrowed ? 'Nothing was found' : 'There are no documents yet')}>
              {clearButton || newButton}
            </Empty>
          ) : (
            <div aria-busy={list.result.isPlaceholderData} className="stack">
              <Table list={list} isSelectable={bulkActions(list).length > 0} />
              <Pages list={list} />
            </div>
          )
        }
      </Result>
      {error && <div>{clearButton}</div>}
    </PageLayout>
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
