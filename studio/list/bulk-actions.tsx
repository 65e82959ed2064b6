/**
 * @module What can be done with the selected documents, one request after the other.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/request.ts';
import { labelOf } from '../model/attribute.ts';
import type { ContentType, Document } from '../model/model.ts';
import { DocumentLink } from '../shell/document-link.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/popups.tsx';
import { countText } from '../ui/texts.ts';
import { notify } from '../ui/toasts.tsx';
import { keyOf, type List } from './use-list.ts';

/** By action: what is said before it, and after it. */
const ACTIONS = {
  publish: ['The drafts become the published versions.', 'published'],
  unpublish: ['The published versions are removed; the drafts stay.', 'unpublished'],
  delete: ['This cannot be taken back. Of localized documents only the locale in the list is deleted.', 'deleted'],
} as const;

type Action = keyof typeof ACTIONS;

export const bulkActions = (type: ContentType): readonly Action[] =>
  (Object.keys(ACTIONS) as Action[]).filter((id) => type.actions.has(id) && (id === 'delete' || type.hasDrafts));

async function send({ path }: ContentType, action: Action, { documentId, locale }: Document): Promise<void> {
  const query = locale ? { locale } : {};
  if (action === 'delete') await request(`${path}/${documentId}`, { method: 'DELETE', query });
  else await request(`${path}/${documentId}/actions/${action}`, { method: 'POST', query });
}

export function BulkActions({ list: { type, selection, select, ...list } }: { readonly list: List }) {
  const documents = list.documents.filter((document) => selection.has(keyOf(document)));
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
    if (failed.size < documents.length)
      notify(`${countText(documents.length - failed.size, 'document')} ${ACTIONS[action][1]}.`);
    await queries.invalidateQueries({ queryKey: [type.path] });
    select(new Set([...failed.keys()].map(keyOf)));
  };
  return (
    <div className="row notice current" role="toolbar" aria-label="Selected documents">
      <span>
        {done === undefined ? `${countText(documents.length, 'document')} selected` : `${done} of ${documents.length}`}
      </span>
      {done !== undefined && <progress aria-label="Progress" value={done} max={documents.length} />}
      {done === undefined &&
        bulkActions(type).map((action) => (
          <Button key={action} className={action === 'delete' ? 'danger' : ''} onClick={() => setAsked(action)}>
            {labelOf(action)}
          </Button>
        ))}
      {done === undefined && (
        <Button look="quiet" onClick={() => select(new Set())}>
          Clear the selection
        </Button>
      )}
      {asked && (
        <Confirm
          title={`${labelOf(asked)} ${countText(documents.length, 'document')}?`}
          text={ACTIONS[asked][0]}
          action={labelOf(asked)}
          isDangerous={asked === 'delete'}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {failures.size > 0 && (
        <Dialog title={`${countText(failures.size, 'document')} failed`} onClose={() => setFailures(new Map())}>
          {[...failures].map(([document, reason]) => (
            <div key={keyOf(document)}>
              <DocumentLink type={type} document={document} />
              <p className="danger">{reason}</p>
            </div>
          ))}
        </Dialog>
      )}
    </div>
  );
}
