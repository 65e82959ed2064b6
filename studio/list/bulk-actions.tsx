/**
 * @module What can be done with the selected documents of a list.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ResponseBody, request } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { personCheck } from '../api/session.ts';
import { tagOfBoth } from '../document/version.ts';
import { type ContentType, type Document, editedStatus, titleOf, versionQuery } from '../model/model.ts';
import { DocumentLink } from '../shell/document-link.tsx';
import { type Text, text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Confirm, Dialog } from '../ui/popups.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import { listStatus } from './list-query.ts';
import { type BulkAction, type BulkState, bulkActions, documentKeyOf, IDLE, type List } from './use-list.ts';

/** Documents that a question names. */
const MOST_NAMED = 10;

const TEXTS = {
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
} as const satisfies Readonly<Record<BulkAction, Readonly<Record<string, Text>>>>;

const CHANGED = 'It was changed meanwhile. Read it again.';
const FAILED = '{count} document failed | {count} documents failed';
const LEFT = '{count} document was left as it is | {count} documents were left as they are';

type Tags = Readonly<Record<string, string>>;

/**
 * Reads a document, its draft if there is one, and returns the precondition that it still is as the list has read it. There
 * is none for a published version: the API would ask for a newer draft. A deletion reads both versions.
 * @throws ApiError 412 where it was changed, and Error while its other version is not known
 */
async function readUnchanged({ type, query, others }: List, action: BulkAction, document: Document): Promise<Tags> {
  const isPublished = type.hasDrafts && listStatus(type, query) === 'published';
  const readsDrafts = editedStatus(type) === 'draft';
  const deletesBoth = readsDrafts && action === 'delete';
  if (readsDrafts && !others && (isPublished || deletesBoth))
    throw new Error(text('The other versions of these documents are not known yet. Try again.'));
  const other = others?.get(documentKeyOf(document));
  const [published, draft] = isPublished ? [document, other] : [other, document];
  const read = async (status: 'draft' | 'published', shown: Document | undefined) => {
    if (!shown) return null;
    const version = { ...versionQuery(type, status, document.locale ?? undefined), fields: ['updatedAt'] };
    const path = `${type.path}/${document.documentId}`;
    const { body, etag } = await request<ResponseBody<Document>>(path, { query: version });
    if (body.data.updatedAt !== shown.updatedAt) throw new ApiError(412, text(CHANGED));
    return etag;
  };
  const tag = await read('draft', draft);
  if (deletesBoth) return { 'if-match': tagOfBoth(await read('published', published), tag) };
  if (!draft) await read('published', published);
  return tag ? { 'if-match': tag } : {};
}

async function send({ path }: ContentType, action: BulkAction, { documentId, locale }: Document, headers: Tags) {
  const options = { query: locale ? { locale } : {}, headers };
  if (action === 'delete') await request(`${path}/${documentId}`, { method: 'DELETE', ...options });
  else await request(`${path}/${documentId}/actions/${action}`, { method: 'POST', ...options });
}

interface BulkActionsProps {
  readonly list: List;
  /** Kept by the list: what failed is perhaps not on its page any more. */
  readonly bulk: BulkState;
  readonly setBulk: (bulk: BulkState) => void;
}

/** What can be done with the selected documents, one after the other. */
export function BulkActions({ list, bulk: { done, failures }, setBulk }: BulkActionsProps) {
  const { type, selection, select } = list;
  const documents = list.documents.filter((document) => selection.has(documentKeyOf(document)));
  const queries = useQueryClient();
  const [asked, setAsked] = useState<BulkAction>();

  const end = useWhileHere((failed: ReadonlyMap<Document, string>) => {
    setBulk(failed.size > 0 ? { failures: failed } : IDLE);
    select(new Set([...failed.keys()].map(documentKeyOf)));
  });
  const run = async (action: BulkAction) => {
    const failed = new Map<Document, string>();
    let acted = 0;
    const isSamePerson = personCheck();
    for (const document of documents) {
      if (!isSamePerson()) break;
      setBulk({ done: acted + failed.size, failures: failed });
      try {
        const tags = await readUnchanged(list, action, document);
        if (!isSamePerson()) break;
        await send(type, action, document, tags);
        acted += 1;
      } catch (error) {
        const isChanged = error instanceof ApiError && error.status === 412;
        failed.set(document, isChanged ? text(CHANGED) : (error as Error).message);
      }
    }
    const [reason] = failed.values();
    if (!end(failed) && reason) notifyError(text(FAILED, { count: failed.size }), reason);
    if (acted > 0) notify(text(TEXTS[action].done, { count: acted }));
    const left = documents.length - acted - failed.size;
    if (left > 0) notifyError(text(LEFT, { count: left }), text('The session has ended.'));
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
        bulkActions(list).map((action) => (
          <Button
            key={action}
            label={text(TEXTS[action].label)}
            className={action === 'delete' ? 'danger' : ''}
            onClick={() => setAsked(action)}
          />
        ))}
      {done === undefined && (
        <Button label={text('Clear the selection')} look="quiet" onClick={() => select(new Set())} />
      )}
      {asked && (
        <Confirm
          title={text(TEXTS[asked].question, { count: documents.length })}
          text={
            <>
              <p>{text(TEXTS[asked].consequence)}</p>
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
          action={text(TEXTS[asked].label)}
          isDangerous={asked === 'delete'}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {done === undefined && failures.size > 0 && (
        <Dialog title={text(FAILED, { count: failures.size })} onClose={() => setBulk(IDLE)}>
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
