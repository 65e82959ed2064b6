/**
 * @module What the buttons and keys of a document do.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/send.ts';
import { type Document, editedStatus, screenOf } from '../model/model.ts';
import { neighboursOf } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { type Text, text } from '../texts/text.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import type { Clash, Editing } from './editing.ts';
import type { FormValues } from './fields/form-values.ts';
import { lastRevision, type Revision, restoredText, restoreRevision } from './revisions.ts';
import {
  isNewAt,
  mayAct,
  type Place,
  type ReadVersion,
  removeVersion,
  requestAction,
  save,
  versionsAt,
} from './version.ts';

/** Milliseconds until the entries with errors have unfolded. */
const UNFOLDED = 100;

interface Meeting {
  readonly version: ReadVersion;
  readonly clashes: readonly Clash[];
  readonly last: Revision | undefined;
}

/**
 * @param showForm makes the form visible
 * @param onSaved is called with the saved document, in place of opening its screen
 */
export function useActions(
  place: Place,
  editing: Editing,
  showForm: () => void,
  onSaved?: (document: Document) => void,
) {
  const model = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const queue = useRef(Promise.resolve());
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const [isBusy, setBusy] = useState(false);
  /** What somebody else saved, and the version that has it. */
  const [meeting, setMeeting] = useState<Meeting | null>(null);
  const { type } = place;
  const status = editedStatus(type);
  const isNew = isNewAt(place);
  const mayRead = type.actions.has('findOne');
  const operation = isNew ? 'create' : 'update';
  const mayWritePublished = type.actions.has(operation) && !type.draftsOnly.has(operation);
  const mayPublish = status === 'draft' && (mayWritePublished || mayAct(model, type, 'publish'));
  /** Saving publishes where no drafts can be read. */
  const savesPublished = status === 'published' && mayWritePublished;

  /** Scrolls to the first error, and focuses its input. Entries that have errors unfold first. */
  function showFirstError(): void {
    showForm();
    setTimeout(() => {
      // The form of a layer stands behind that below it.
      const form = [...document.querySelectorAll('.document-form')].at(-1);
      const field = form?.querySelector('[role=alert]')?.closest('.field');
      const controls = ['[aria-invalid=true]', '.code-editor', 'button'].map((selector) =>
        field?.querySelector<HTMLElement>(selector),
      );
      field?.scrollIntoView({ block: 'center' });
      controls.find(Boolean)?.focus({ preventScroll: true });
    }, UNFOLDED);
  }

  const read = async (at: Place) => (await queries.fetchQuery({ ...versionsAt(model, at), staleTime: 0 })).edited;

  /** Reads both versions again, and whatever lists show. */
  async function refresh(at: Place, sent?: FormValues): Promise<void> {
    queries.invalidateQueries({ queryKey: [type.path] });
    editing.rebase(await read(at), { sent });
  }

  /** Asks about what somebody else saved. Returns whether nothing is to be asked. */
  async function meet(): Promise<boolean> {
    const [version, last] = await Promise.all([read(place), lastRevision(place).catch(() => undefined)]);
    if (!version) throw new Error(text('It was deleted meanwhile. What you wrote is still in the form.'));
    const clashes = editing.clashesWith(version);
    if (clashes.length > 0) setMeeting({ version, clashes, last });
    else editing.rebase(version);
    return clashes.length === 0;
  }

  async function explain(failure: Text, error: unknown, work: () => Promise<unknown>): Promise<void> {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 412) {
      if (await meet()) await work();
      return;
    }
    if (status === 404 && !isNew) await read(place);
    if (error instanceof ApiError && error.issues.length > 0) {
      editing.show(error.issues);
      showFirstError();
    }
    notifyError(text(failure), error);
  }

  /** One after the other, so that a key that is pressed too early is not lost. */
  function run(failure: Text, work: () => Promise<unknown>): Promise<void> {
    queue.current = queue.current.then(async () => {
      if (editing.hasEnded()) return;
      setBusy(true);
      try {
        await work();
      } catch (error) {
        await explain(failure, error, work).catch((second) => notifyError(text(failure), second));
      } finally {
        setBusy(false);
      }
    });
    return queue.current;
  }

  /** Saves, and returns the place of the document, its tag, and what it is now. */
  async function write(isPublished: boolean) {
    const sent = structuredClone<FormValues>(editing.form.getValues());
    const { body, etag } = await save(place, editing.body(), editing.etag(), isPublished);
    const at = isNew ? { ...place, documentId: body.data.documentId } : place;
    if (isNew && mayRead) editing.end();
    else if (isNew) editing.discard(null);
    else await refresh(at, sent);
    return { at, etag, document: body.data };
  }

  /** Closes a layer; leads from the form of a new document to that of the created one. */
  function leave({ documentId, locale }: Place, document: Document | undefined): void {
    if (!isHere.current) return;
    if (onSaved && document) onSaved(document);
    else if (isNew && mayRead) navigate(screenOf(type, documentId ?? null, locale), { replace: true });
  }

  async function check(isPublish: boolean): Promise<boolean> {
    if (await editing.check(isPublish)) return true;
    showFirstError();
    return false;
  }

  const saveNow = () =>
    run('Not saved', async () => {
      if (!(await check(savesPublished))) return;
      if (!editing.isUnsaved()) return notify(text('There is nothing to save'));
      const { at, document } = await write(savesPublished);
      notify(text(isNew ? 'Created' : 'Saved'));
      leave(at, document);
    });

  const publish = () =>
    run('Not published', async () => {
      if (!(await check(true))) return;
      const hasAction = mayAct(model, type, 'publish');
      const isWritten = editing.isUnsaved() || !hasAction;
      const written = isWritten ? await write(!hasAction) : undefined;
      const at = written?.at ?? place;
      let document = written?.document;
      try {
        if (hasAction)
          document = (await requestAction(at, 'publish', written ? written.etag : editing.etag())).body.data;
      } finally {
        if (isNew) leave(at, document);
      }
      if (!isNew) await refresh(at);
      notify(text('Published'));
      if (!isNew) leave(at, document);
    });

  const change = (action: 'unpublish' | 'discard-draft') =>
    run(action === 'unpublish' ? 'Not unpublished' : 'Not discarded', async () => {
      await requestAction(place, action, null);
      queries.invalidateQueries({ queryKey: [type.path] });
      const version = await read(place);
      if (action === 'discard-draft') editing.discard(version);
      else editing.rebase(version);
      notify(text(action === 'unpublish' ? 'Unpublished' : 'Discarded'));
    });

  /** @param isGone the document is deleted: there is nothing that a restoration could overwrite */
  const restore = (revision: string, isGone: boolean) =>
    run('Not restored', async () => {
      const { body } = await restoreRevision(place, revision, isGone ? null : editing.etag());
      await refresh(place);
      notify(restoredText(body));
    });

  const compare = () => run('Not compared', meet);

  const erase = (isWhole: boolean) =>
    run('Not deleted', async () => {
      await removeVersion(place, isWhole);
      editing.end();
      queries.removeQueries({ queryKey: ['document'] });
      queries.invalidateQueries({ queryKey: [type.path] });
      notify(text('Deleted'));
      if (isHere.current) navigate(type.kind === 'singleType' ? '/' : neighboursOf(type.segment, null).address);
    });

  return {
    ...{ isBusy, mayPublish, savesPublished, meeting, endMeeting: () => setMeeting(null) },
    ...{ saveNow, publish, change, erase, restore, compare },
  };
}
