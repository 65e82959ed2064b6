/**
 * @module The documents of a content type: `/content/articles?<query of the API>`. A single type shows its document.
 */
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { request } from '../api/request.ts';
import { useKeptChanges } from '../document/kept-changes.ts';
import { type ContentType, type Document, titleOf, typeOfSegment } from '../model/model.ts';
import { DocumentLink, rememberList } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { NotFound, PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { Confirm, Dialog } from '../ui/popups.tsx';
import { Empty, Loading, Notice, Result } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { Chips } from './chips.tsx';
import { placeOf } from './list-query.ts';
import { StateTabs } from './state-tabs.tsx';
import { Table } from './table.tsx';
import { Pages, Toolbar } from './toolbar.tsx';
import { documentKeyOf, type List, useList } from './use-list.ts';
import { NARROWING, NO_FILTERS } from './view.ts';

/** Documents that a question names. */
const MOST_NAMED = 10;

const ACTIONS = {
  publish: {
    label: 'Publish',
    question: 'Publish {count} document? | Publish {count} documents?',
    consequence: 'The drafts become the published versions.',
    done: '{count} document published. | {count} documents published.',
  },
  unpublish: {
    label: 'Unpublish',
    question: 'Unpublish {count} document? | Unpublish {count} documents?',
    consequence: 'The published versions are removed; the drafts stay.',
    done: '{count} document unpublished. | {count} documents unpublished.',
  },
  delete: {
    label: 'Delete',
    question: 'Delete {count} document? | Delete {count} documents?',
    consequence: 'This cannot be taken back. Of localized documents only the locale in the list is deleted.',
    done: '{count} document deleted. | {count} documents deleted.',
  },
} as const;

type Action = keyof typeof ACTIONS;

const bulkActions = (type: ContentType): readonly Action[] =>
  (Object.keys(ACTIONS) as Action[]).filter((id) => type.actions.has(id) && (id === 'delete' || type.hasDrafts));

async function send({ path }: ContentType, action: Action, { documentId, locale }: Document): Promise<void> {
  const query = locale ? { locale } : {};
  if (action === 'delete') await request(`${path}/${documentId}`, { method: 'DELETE', query });
  else await request(`${path}/${documentId}/actions/${action}`, { method: 'POST', query });
}

/** What can be done with the selected documents, one request after the other. */
function BulkActions({ list: { type, selection, select, ...list } }: { readonly list: List }) {
  const documents = list.documents.filter((document) => selection.has(documentKeyOf(document)));
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Action>();
  const [done, setDone] = useState<number>();
  const [failures, setFailures] = useState<ReadonlyMap<Document, string>>(new Map());

  const run = async (action: Action) => {
    const failed = new Map<Document, string>();
    for (const [index, document] of documents.entries()) {
      setDone(index);
      await send(type, action, document).catch((error: Error) => failed.set(document, error.message));
    }
    setDone(undefined);
    setFailures(failed);
    select(new Set([...failed.keys()].map(documentKeyOf)));
    if (failed.size < documents.length) notify(text(ACTIONS[action].done, { count: documents.length - failed.size }));
    await queries.invalidateQueries({ queryKey: [type.path] });
  };
  return (
    <div className="row notice current" role="toolbar" aria-label={text('Selected documents')}>
      <span>
        {done === undefined
          ? text('{count} document selected | {count} documents selected', { count: documents.length })
          : text('{place} of {total}', { place: done, total: documents.length })}
      </span>
      {done !== undefined && <progress aria-label={text('Progress')} value={done} max={documents.length} />}
      {done === undefined &&
        bulkActions(type).map((action) => (
          <Button
            key={action}
            label={text(ACTIONS[action].label)}
            className={action === 'delete' ? 'danger' : ''}
            onClick={() => setAsked(action)}
          />
        ))}
      {done === undefined && (
        <Button label={text('Clear the selection')} look="quiet" onClick={() => select(new Set())} />
      )}
      {asked && (
        <Confirm
          title={text(ACTIONS[asked].question, { count: documents.length })}
          text={
            <>
              <p>{text(ACTIONS[asked].consequence)}</p>
              <ul>
                {documents.slice(0, MOST_NAMED).map((document) => (
                  <li key={documentKeyOf(document)}>{titleOf(type, document)}</li>
                ))}
                {documents.length > MOST_NAMED && (
                  <li>{text('… and {count} more', { count: documents.length - MOST_NAMED })}</li>
                )}
              </ul>
            </>
          }
          action={text(ACTIONS[asked].label)}
          isDangerous={asked === 'delete'}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {failures.size > 0 && (
        <Dialog
          title={text('{count} document failed | {count} documents failed', { count: failures.size })}
          onClose={() => setFailures(new Map())}
        >
          {[...failures].map(([document, reason]) => (
            <div key={documentKeyOf(document)}>
              <DocumentLink type={type} document={document} />
              <p className="danger">{reason}</p>
            </div>
          ))}
        </Dialog>
      )}
    </div>
  );
}

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
  const row = document.activeElement?.matches('.row-title') ? document.activeElement.closest('tr') : null;
  row?.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
  return row !== null;
}

/** A list does not wait for the code of forms. */
const DocumentPage = lazy(async () => ({ default: (await import('../document/document-page.tsx')).DocumentPage }));

function ListPage({ type }: { readonly type: ContentType }) {
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const hasKeptChanges = useKeptChanges();
  const list = useList(type);
  const { query, documents } = list;
  const locale = typeof query.locale === 'string' && query.locale !== '*' ? `?locale=${query.locale}` : '';
  const address = type.actions.has('create') ? `/content/${type.segment}/new${locale}` : undefined;
  useKeys({
    f: () => document.querySelector<HTMLElement>('[aria-keyshortcuts="f"]')?.focus(),
    n: () => address && navigate(address),
    j: () => moveRow(1, false),
    k: () => moveRow(-1, false),
    ArrowDown: () => moveRow(1, true),
    ArrowUp: () => moveRow(-1, true),
    ' ': selectRow,
  });
  useEffect(() => {
    const ids = documents.map(({ documentId }) => documentId);
    rememberList(type.segment, `${pathname}${search}`, ids);
  }, [type.segment, pathname, search, documents]);

  const newButton = address && (
    <Link className="button primary" to={address} aria-keyshortcuts="n">
      {text('New')}
    </Link>
  );
  const { error } = list.result;
  const { page, after } = placeOf(query);
  const isNarrowed = page > 1 || after !== undefined || NARROWING.some((name) => query[name] !== undefined);
  const clear = () => list.change({ ...NO_FILTERS, ...(error && { sort: undefined }) });
  const clearButton = (isNarrowed || error) && <Button label={text('Clear search and filters')} onClick={clear} />;
  return (
    <PageLayout title={type.name} actions={newButton}>
      {address && hasKeptChanges({ type, documentId: undefined, locale: undefined }) && (
        <Notice action={text('Go on')} onAct={() => navigate(address)}>
          {text('There is a new document that is not saved.')}
        </Notice>
      )}
      <Toolbar list={list} />
      <Chips list={list} />
      <StateTabs list={list} />
      {list.selection.size > 0 && <BulkActions list={list} />}
      <Result of={list.result}>
        {() =>
          documents.length === 0 ? (
            <Empty title={text(isNarrowed ? 'Nothing was found.' : 'There are no documents yet.')}>
              {clearButton || newButton}
            </Empty>
          ) : (
            <div aria-busy={list.result.isPlaceholderData} className="stack">
              <Table list={list} isSelectable={bulkActions(type).length > 0} />
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
