/**
 * @module What can be done with the selected documents, one request after the other.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../api/request.ts';
import { type ContentType, type Document, type Model, titleOf } from '../model/model.ts';
import { mayDo } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { notify } from '../ui/toasts.tsx';

interface Action {
  readonly id: 'publish' | 'unpublish' | 'delete';
  readonly label: string;
  readonly done: string;
}

const ACTIONS: readonly Action[] = [
  { id: 'publish', label: 'Publish', done: 'published' },
  { id: 'unpublish', label: 'Unpublish', done: 'unpublished' },
  { id: 'delete', label: 'Delete', done: 'deleted' },
];

export const bulkActions = (model: Model, type: ContentType): readonly Action[] =>
  ACTIONS.filter(({ id }) => mayDo(model, type, id) && (id === 'delete' || type.hasDrafts));

interface Failed {
  readonly document: Document;
  readonly reason: string;
}

async function send({ path }: ContentType, { id }: Action, { documentId, locale }: Document): Promise<void> {
  const query = locale ? { locale } : {};
  const place = `${path}/${documentId}`;
  await (id === 'delete'
    ? request(place, { method: 'DELETE', query })
    : request(`${place}/actions/${id}`, { method: 'POST', query }));
}

interface BulkActionsProps {
  readonly type: ContentType;
  readonly documents: readonly Document[];
  /** Called with the documents that stay selected. */
  readonly onDone: (left: readonly Document[]) => void;
}

const plural = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

export function BulkActions({ type, documents, onDone }: BulkActionsProps) {
  const model = useModel();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Action>();
  const [running, setRunning] = useState<{ readonly action: Action; readonly count: number; readonly total: number }>();
  const [failures, setFailures] = useState<readonly Failed[]>([]);

  const run = async (action: Action) => {
    const failed: Failed[] = [];
    for (const [count, document] of documents.entries()) {
      setRunning({ action, count, total: documents.length });
      try {
        await send(type, action, document);
      } catch (error) {
        failed.push({ document, reason: (error as Error).message });
      }
    }
    setRunning(undefined);
    setFailures(failed);
    onDone(failed.map(({ document }) => document));
    const succeeded = documents.length - failed.length;
    if (succeeded > 0) notify(`${plural(succeeded)} ${action.done}.`);
    await queries.invalidateQueries({ queryKey: [type.path] });
  };

  return (
    <>
      {documents.length > 0 && (
        <div className="bulk" role="toolbar" aria-label="Selected documents">
          {running ? (
            <>
              <span>{`${running.action.label}: ${running.count + 1} of ${running.total}`}</span>
              <progress aria-label={running.action.label} value={running.count} max={running.total} />
            </>
          ) : (
            <>
              <span>{plural(documents.length)} selected</span>
              {bulkActions(model, type).map((action) => (
                <Button
                  key={action.id}
                  {...(action.id === 'delete' && { look: 'danger' as const })}
                  onClick={() => setAsked(action)}
                >
                  {action.label}
                </Button>
              ))}
              <Button look="quiet" onClick={() => onDone([])}>
                Clear the selection
              </Button>
            </>
          )}
        </div>
      )}
      {asked && (
        <Confirm
          title={`${asked.label} ${plural(documents.length)}?`}
          text={
            <p>
              {asked.id === 'delete' && 'This cannot be taken back. '}
              {asked.id === 'delete' && type.isLocalized && 'Only the locale in the list is deleted.'}
              {asked.id === 'publish' && 'The drafts become the published versions.'}
              {asked.id === 'unpublish' && 'The published versions are removed; the drafts stay.'}
            </p>
          }
          action={asked.label}
          isDangerous={asked.id === 'delete'}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {failures.length > 0 && (
        <Dialog title={`${plural(failures.length)} failed`} onClose={() => setFailures([])}>
          <ul className="dialog-body stack">
            {failures.map(({ document, reason }) => (
              <li key={`${document.documentId} ${document.locale}`}>
                <Link to={`/content/${type.segment}/${document.documentId}`}>{titleOf(type, document)}</Link>
                <p className="danger">{reason}</p>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
