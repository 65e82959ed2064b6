/**
 * @module What the buttons and keys of a document do.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/send.ts';
import { personCheck } from '../api/session.ts';
import { type Document, editedStatus, type Values } from '../model/model.ts';
import { neighboursOf } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { type Text, text } from '../texts/text.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import type { Clash, Editing } from './editing.ts';
import { type FormValues, isSame } from './fields/form-values.ts';
import { lastRevision, type Revision, restoredText, restoreRevision } from './revisions.ts';
import {
  isNewAt,
  type LayerPlace,
  mayAct,
  type Place,
  type ReadVersion,
  removeDocument,
  removeVersion,
  requestAction,
  revisionOf,
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

interface ActionOptions {
  /** Makes the form visible. */
  readonly showForm: () => void;
  /** Opens the place of the created document, in the same form. */
  readonly goOn: (created: Place) => void;
  readonly layer: LayerPlace | undefined;
}

export function useActions(place: Place, editing: Editing, { showForm, goOn, layer }: ActionOptions) {
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
  /** What another user saved, and the version that has it. */
  const [meeting, setMeeting] = useState<Meeting | null>(null);
  /** Those of the last rendering: what waits in the queue may run after the form of a new document went on. */
  const now = useRef({ place, editing });
  now.current = { place, editing };
  /** Counts documents that were saved. */
  const saves = useRef(0);
  const { type } = place;
  const status = editedStatus(type);
  const mayRead = type.actions.has('findOne');
  const operation = isNewAt(place) ? 'create' : 'update';
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

  /** Reads both versions again: a read that is on its way may be older than the last write. */
  const read = async (at: Place) => {
    const query = versionsAt(model, at);
    await queries.cancelQueries({ queryKey: query.queryKey, exact: true });
    return (await queries.fetchQuery({ ...query, staleTime: 0 })).edited;
  };

  const refreshLists = () => queries.invalidateQueries({ queryKey: [type.path] });

  /** Asks about what another user saved. Returns whether nothing is to be asked. */
  async function meet(): Promise<boolean> {
    const at = now.current.place;
    const [version, last] = await Promise.all([read(at), lastRevision(at).catch(() => undefined)]);
    if (!version) throw new Error(text('It was deleted meanwhile. What you wrote is still in the form.'));
    const clashes = now.current.editing.clashesWith(version);
    if (clashes.length > 0) setMeeting({ version, clashes, last });
    else now.current.editing.rebase(version);
    return clashes.length === 0;
  }

  async function explain(failure: Text, error: unknown, again: (() => Promise<unknown>) | undefined): Promise<void> {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 412) {
      const isClear = await meet();
      if (isClear && again) await again();
      else if (isClear) notifyError(text(failure), text('It was changed meanwhile. Read it again.'));
      return;
    }
    if (status === 404 && !isNewAt(now.current.place)) await read(now.current.place);
    if (error instanceof ApiError && error.issues.length > 0) {
      now.current.editing.show(error.issues);
      showFirstError();
    }
    notifyError(text(failure), error);
  }

  /**
   * One after the other, so that a key that is pressed too early is not lost.
   * @param again is called where another user has saved something that this form does not show
   */
  function run(failure: Text, work: () => Promise<unknown>, again: typeof work | undefined = work): Promise<void> {
    const isSamePerson = personCheck();
    queue.current = queue.current.then(async () => {
      if (now.current.editing.hasEnded() || !isSamePerson()) return;
      setBusy(true);
      try {
        await work();
      } catch (error) {
        if (isSamePerson()) await explain(failure, error, again).catch((second) => notifyError(text(failure), second));
      } finally {
        setBusy(false);
      }
    });
    return queue.current;
  }

  /** Saves, and returns the place of the document, its tag, and what it is now. */
  async function write(isPublished: boolean) {
    const { place, editing } = now.current;
    const sent = structuredClone<FormValues>(editing.form.getValues());
    const { body, etag } = await save(place, editing.body(), editing.etag(), isPublished);
    saves.current += 1;
    editing.saved(sent, etag);
    const at = isNewAt(place) ? { ...place, documentId: body.data.documentId } : place;
    return { at, etag, document: body.data };
  }

  /** Reads again what was written. The form of a new document goes on as that of the created one, a layer closes. */
  async function settle(at: Place, document: Document): Promise<void> {
    refreshLists();
    const { editing, place } = now.current;
    const isNew = isNewAt(place);
    if (isNew && !mayRead) editing.rebase(null);
    else if (isNew && layer && !editing.isLeftUnsaved()) editing.end();
    else {
      const version = await read(at).catch(() => null);
      if (isNew && !isHere.current) return editing.end(at);
      if (isNew) editing.move(() => goOn(at));
      if (version) now.current.editing.rebase(version);
    }
    if (isHere.current) layer?.onSaved(document, !now.current.editing.isLeftUnsaved());
  }

  async function check(isPublish: boolean): Promise<boolean> {
    if (await now.current.editing.check(isPublish)) return true;
    showFirstError();
    return false;
  }

  function saveNow(): Promise<void> {
    const before = saves.current;
    return run('Not saved', async () => {
      const { editing, place } = now.current;
      const isSaved = saves.current > before && !editing.isLeftUnsaved();
      if (isSaved || !editing.isUnsaved()) return notify(text('There is nothing to save'));
      if (!(await check(savesPublished))) return;
      const { at, document } = await write(savesPublished);
      await settle(at, document);
      notify(text(isNewAt(place) ? 'Created' : 'Saved'));
    });
  }

  const publish = () =>
    run('Not published', async () => {
      if (!(await check(true))) return;
      const { editing, place } = now.current;
      const hasAction = mayAct(model, type, 'publish');
      const written = editing.isUnsaved() || !hasAction ? await write(!hasAction) : undefined;
      const at = written?.at ?? place;
      const published = () => requestAction(at, 'publish', written ? written.etag : editing.etag());
      try {
        const document = hasAction ? (await published()).body.data : written?.document;
        if (document) await settle(at, document);
      } catch (error) {
        if (written && isNewAt(place)) await settle(at, written.document);
        throw error;
      }
      notify(text('Published'));
    });

  /** The tag for what is not written into: who reads no drafts has not seen a newer one, which the API would ask for. */
  const seen = () => (type.hasDrafts && status === 'published' ? '*' : now.current.editing.etag());

  const unpublish = () =>
    run('Not unpublished', async () => {
      await requestAction(now.current.place, 'unpublish', seen());
      refreshLists();
      const version = await read(now.current.place);
      if (version) now.current.editing.rebase(version);
      notify(text('Unpublished'));
    });

  const discardDraft = () =>
    run(
      'Not discarded',
      async () => {
        await requestAction(now.current.place, 'discard-draft', seen());
        refreshLists();
        const version = await read(now.current.place);
        if (version) now.current.editing.discard(version);
        notify(text('Discarded'));
      },
      undefined,
    );

  /** @param isGone the document is deleted: there is nothing that a restoration could overwrite */
  const restore = (revision: string, isGone: boolean) =>
    run('Not restored', async () => {
      const { place, editing } = now.current;
      const { body } = await restoreRevision(place, revision, isGone ? null : editing.etag());
      refreshLists();
      const version = await read(place);
      if (version) editing.rebase(version);
      notify(restoredText(body));
    });

  const compare = () => run('Not compared', meet);

  /** Goes on with chosen values. What was typed before the question had the focus is asked about again. */
  function choose(values: Values): void {
    if (!meeting) return;
    const { version } = meeting;
    const clashes = now.current.editing.clashesWith(version);
    const mine = (all: readonly Clash[]) => all.map((clash) => clash.mine);
    const isAnswered = isSame(mine(clashes), mine(meeting.clashes));
    if (isAnswered) now.current.editing.rebase(version, values);
    setMeeting(isAnswered ? null : { ...meeting, clashes });
  }

  /** Deletes a document in all its locales, if this one is still as it was read: no tag stands for several. */
  async function eraseAll(): Promise<void> {
    const { place, editing } = now.current;
    if (revisionOf((await read(place))?.etag) !== revisionOf(editing.etag()))
      throw new ApiError(412, text('It was changed meanwhile. Read it again.'));
    await removeDocument(place);
  }

  const erase = (isWhole: boolean) =>
    run(
      'Not deleted',
      async () => {
        const { place, editing } = now.current;
        await (isWhole ? eraseAll() : removeVersion(place, seen()));
        editing.end();
        queries.removeQueries({ queryKey: ['document'] });
        refreshLists();
        notify(text('Deleted'));
        if (isHere.current) navigate(type.kind === 'singleType' ? '/' : neighboursOf(type.segment, null).address);
      },
      undefined,
    );

  return {
    ...{ isBusy, mayPublish, savesPublished, meeting, choose, endMeeting: () => setMeeting(null) },
    ...{ saveNow, publish, unpublish, discardDraft, erase, restore, compare },
  };
}
