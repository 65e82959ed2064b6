/**
 * @module What the buttons and keys of a document do.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/send.ts';
import { personCheck } from '../api/session.ts';
import { editedStatus, type Values } from '../model/model.ts';
import { neighboursOf } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { type Text, text } from '../texts/text.ts';
import { useWhileHere } from '../ui/late.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import type { Clash, Editing } from './editing.ts';
import { type FormValues, isSame } from './fields/form-values.ts';
import { keepChanges, keyOfChanges } from './kept-changes.ts';
import { isNewAt, type Place, pathOf } from './place.ts';
import { lastRevision, type Revision, restoredText, restoreRevision } from './revisions.ts';
import {
  areSame,
  isWritten,
  type LayerPlace,
  localesOf,
  mayAct,
  type ReadVersion,
  removeDocument,
  removeVersion,
  requestAction,
  save,
  tagOfBoth,
  versionsAt,
  type Written,
} from './version.ts';

interface Meeting {
  readonly version: ReadVersion;
  readonly clashes: readonly Clash[];
  readonly last: Revision | undefined;
}

interface ActionOptions {
  /** The version that is shown. */
  readonly version: ReadVersion | null;
  readonly published: ReadVersion | null;
  /** Leads to the first error of the form. */
  readonly showError: () => void;
  /** Opens the place of the created document, in the same form. */
  readonly goOn: (created: Place) => void;
  readonly layer: LayerPlace | undefined;
}

export function useActions(place: Place, editing: Editing, options: ActionOptions) {
  const { version, published, showError, goOn, layer } = options;
  const model = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const queue = useRef(Promise.resolve());
  const isHere = useWhileHere(() => {});
  const [isBusy, setBusy] = useState(false);
  /** What another user saved, and the version that has it. */
  const [meeting, setMeeting] = useState<Meeting | null>(null);
  /** Those of the last rendering: what waits in the queue may run after the form of a new document went on. */
  const now = useRef({ place, editing, version, published });
  now.current = { place, editing, version, published };
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

  /** Reads both versions again: a read that is on its way may be older than the last write. */
  const readVersions = async (at: Place) => {
    const query = versionsAt(model, at);
    await queries.cancelQueries({ queryKey: query.queryKey, exact: true });
    return queries.fetchQuery({ ...query, staleTime: 0 });
  };
  const read = async (at: Place) => (await readVersions(at)).edited;

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

  async function explain(failure: Text, error: unknown, again: (() => Promise<unknown>) | null): Promise<void> {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 412) {
      const isClear = await meet();
      if (isClear && again) await again();
      else if (isClear) notifyError(text(failure), text('It was changed meanwhile. Read it again.'));
      return;
    }
    // Entries that the form has may be gone, too.
    if ((status === 404 || status === 400) && !isNewAt(now.current.place))
      await read(now.current.place).catch(() => null);
    if (error instanceof ApiError && error.issues.length > 0) {
      now.current.editing.show(error.issues);
      showError();
    }
    notifyError(text(failure), error);
  }

  /**
   * One after the other, so that a key that is pressed too early is not lost.
   * @param again null: nothing is done twice. Is called where another user has saved something that this form does not show
   */
  function run(failure: Text, work: () => Promise<unknown>, again: typeof work | null = work): Promise<void> {
    const isSamePerson = personCheck();
    // Another user may sign in while it is read what others have saved.
    const repeat = again && (async () => void (isSamePerson() && (await again())));
    queue.current = queue.current.then(async () => {
      if (now.current.editing.hasEnded() || !isSamePerson()) return;
      setBusy(true);
      try {
        await work();
      } catch (error) {
        if (isSamePerson()) await explain(failure, error, repeat).catch((second) => notifyError(text(failure), second));
      } finally {
        setBusy(false);
      }
    });
    return queue.current;
  }

  /**
   * Saves, and returns the place of the document with the response.
   * @throws ApiError 412 where a new locale is there now, and was not yet given what was changed for all locales: that is
   * compared with what they share, and saved like any other change
   */
  async function write(isPublished: boolean) {
    const { place, editing } = now.current;
    const sent = structuredClone<FormValues>(editing.form.getValues());
    const isFirst = editing.savesLater();
    const reply = await save(place, editing.body(), editing.etag(), isPublished && !(isFirst && status === 'draft'));
    saves.current += 1;
    editing.saved(sent, reply.etag);
    if (isFirst) throw new ApiError(412, text('It was changed meanwhile. Read it again.'));
    return { at: isNewAt(place) ? { ...place, documentId: reply.body.data.documentId } : place, reply };
  }

  /** Takes what was read after a write. What others have saved since is not taken below what is typed: the next save asks. */
  function take(version: ReadVersion | null, reply: Written): void {
    const { editing } = now.current;
    if (version && (isWritten(version, reply) || !editing.isLeftUnsaved())) editing.rebase(version);
  }

  /** Reads again what was written. The form of a new document goes on as that of the created one, a layer closes. */
  async function settle(at: Place, reply: Written): Promise<void> {
    refreshLists();
    const { editing, place } = now.current;
    const isNew = isNewAt(place);
    if (isNew && !mayRead) editing.rebase(null);
    else if (isNew && layer && !editing.isLeftUnsaved()) editing.end();
    else {
      const version = await read(at).catch(() => null);
      if (isNew && !isHere()) return editing.end(at);
      if (isNew) editing.move(() => goOn(at));
      take(version, reply);
    }
    if (isHere()) layer?.onSaved(reply.body.data, !now.current.editing.isLeftUnsaved());
  }

  async function check(isPublish: boolean): Promise<boolean> {
    if (await now.current.editing.check(isPublish)) return true;
    showError();
    return false;
  }

  function saveNow(): Promise<void> {
    const before = saves.current;
    return run('Not saved', async () => {
      const { editing, place } = now.current;
      const isSaved = saves.current > before && !editing.isLeftUnsaved();
      if (isSaved || !editing.isUnsaved()) return notify(text('There is nothing to save'));
      if (!(await check(savesPublished))) return;
      const { at, reply } = await write(savesPublished);
      await settle(at, reply);
      notify(text(isNewAt(place) ? 'Created' : 'Saved'));
    });
  }

  const publish = () => {
    const isSamePerson = personCheck();
    return run('Not published', async () => {
      if (!(await check(true))) return;
      const { editing, place } = now.current;
      const hasAction = mayAct(model, type, 'publish');
      const written = editing.isUnsaved() || !hasAction ? await write(!hasAction) : undefined;
      // A user publishes nothing that another one has written.
      if (!isSamePerson()) {
        if (written && isNewAt(place)) editing.end(written.at);
        return;
      }
      const at = written?.at ?? place;
      const published = () => requestAction(at, 'publish', written ? written.reply.etag : editing.etag());
      try {
        const reply = hasAction ? await published() : written?.reply;
        if (reply) await settle(at, reply);
      } catch (error) {
        if (written && isNewAt(place)) await settle(at, written.reply);
        throw error;
      }
      notify(text('Published'));
    });
  };

  /** The tag for what is not written into: who reads no drafts has not seen a newer one, which the API would ask for. */
  const seen = () => (type.hasDrafts && status === 'published' ? '*' : now.current.editing.etag());

  const unpublish = () =>
    run('Not unpublished', async () => {
      const reply = await requestAction(now.current.place, 'unpublish', seen());
      refreshLists();
      take(await read(now.current.place).catch(() => null), reply);
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
      null,
    );

  /** @param isGone the document is deleted: there is nothing that a restoration could overwrite */
  const restore = (revision: string, isGone: boolean) =>
    run('Not restored', async () => {
      const { place, editing } = now.current;
      const reply = await restoreRevision(place, revision, isGone ? null : editing.etag());
      refreshLists();
      take(await read(place).catch(() => null), reply);
      notify(restoredText(reply.body));
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

  /** Deletes a document in all its locales. */
  async function eraseAll({ place, version }: typeof now.current): Promise<void> {
    await removeDocument(place);
    const codes = [...Object.keys(model.locales), ...(version ? localesOf(version.document) : [])];
    for (const locale of codes) keepChanges(keyOfChanges({ ...place, locale }), null);
  }

  const erase = (isWhole: boolean) =>
    run(
      'Not deleted',
      async () => {
        const { place, editing, version, published } = now.current;
        const etag = editing.etag();
        const tag = status === 'draft' ? tagOfBoth(published?.etag ?? null, etag) : seen();
        // No tag stands for several locales, or for a draft that the user may not read.
        if ((isWhole || tag === '*') && !areSame(await readVersions(place), { edited: version, published }, etag))
          throw new ApiError(412, text('It was changed meanwhile. Read it again.'));
        await (isWhole ? eraseAll(now.current) : removeVersion(place, tag));
        editing.end();
        queries.removeQueries({ queryKey: ['document', pathOf(place)] });
        refreshLists();
        notify(text('Deleted'));
        if (isHere()) navigate(type.kind === 'singleType' ? '/' : neighboursOf(type.segment, null).address);
      },
      null,
    );

  return {
    ...{ isBusy, mayPublish, savesPublished, meeting, choose, endMeeting: () => setMeeting(null) },
    ...{ saveNow, publish, unpublish, discardDraft, erase, restore, compare },
  };
}
