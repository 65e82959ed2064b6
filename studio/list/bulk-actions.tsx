/**
 * @module What can be done with the selected documents, one request after the other.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/request.ts';
import { labelOf } from '../model/attribute.ts';
import { type ContentType, type Document, type Model, mayDo } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/popups.tsx';
import { notify } from '../ui/toasts.tsx';
import { DocumentTitle } from './table.tsx';
import { keyOf, type List } from './use-list.ts';

/** By action: what is said before it, and after it. */
const ACTIONS = {
  publish: ['The drafts become the published versions.', 'published'],
  unpublish: ['The published versions are removed; the drafts stay.', 'unpublished'],
  delete: ['This cannot be taken back. Of localized documents only the locale in the list is deleted.', 'deleted'],
} as const;

type Action = keyof typeof ACTIONS;

export const bulkActions = (model: Model, type: ContentType): readonly Action[] =>
  (Object.keys(ACTIONS) as Action[]).filter((id) => mayDo(model, type, id) && (id === 'delete' || type.hasDrafts));

async function send({ path }: ContentType, action: Action, { documentId, locale }: Document): Promise<void> {
  const query = locale ? { locale } : {};
  if (action === 'delete') await request(`${path}/${documentId}`, { method: 'DELETE', query });
  else await request(`${path}/${documentId}/actions/${action}`, { method: 'POST', query });
}

const plural = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

export function BulkActions({ list: { type, selection, select, ...list } }: { readonly list: List }) {
  const documents = list.documents.filter((document) => selection.has(keyOf(document)));
  const model = useModel();
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
    if (failed.size < documents.length) notify(`${plural(documents.length - failed.size)} ${ACTIONS[action][1]}.`);
    await queries.invalidateQueries({ queryKey: [type.path] });
    select(new Set([...failed.keys()].map(keyOf)));
  };
  return (
    <div className="toolbar bulk" role="toolbar" aria-label="Selected documents">
      <span>{done === undefined ? `${plural(documents.length)} selected` : `${done} of ${documents.length}`}</span>
      {done !== undefined && <progress aria-label="Progress" value={done} max={documents.length} />}
      {done === undefined &&
        bulkActions(model, type).map((action) => (
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
          title={`${labelOf(asked)} ${plural(documents.length)}?`}
          text={ACTIONS[asked][0]}
          action={labelOf(asked)}
          isDangerous={asked === 'delete'}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {failures.size > 0 && (
        <Dialog title={`${plural(failures.size)} failed`} onClose={() => setFailures(new Map())}>
          <div className="dialog-body stack">
            {[...failures].map(([document, reason]) => (
              <div key={keyOf(document)}>
                <DocumentTitle type={type} document={document} />
                <p className="danger">{reason}</p>
              </div>
            ))}
          </div>
        </Dialog>
      )}
    </div>
  );
}
