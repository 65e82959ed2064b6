/**
 * @module What the buttons and keys of a document do.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../api/request.ts';
import { editedStatus } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { notify, notifyError } from '../ui/toasts.tsx';
import type { Clash } from './conflict.tsx';
import type { Editing } from './editing.ts';
import type { FormValues } from './fields/form-values.ts';
import { neighboursOf } from './neighbours.ts';
import { keyOf, type Place, readVersion, type Version } from './version.ts';
import { type Action, act, mayAct, remove, save } from './write.ts';

/** What somebody else saved, and the version that has it. */
export interface Meeting {
  readonly version: Version;
  readonly clashes: readonly Clash[];
}

export function useActions(place: Place, editing: Editing) {
  const model = useModel();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const queue = useRef(Promise.resolve());
  const [isBusy, setBusy] = useState(false);
  const [meeting, setMeeting] = useState<Meeting | null>(null);
  const { type } = place;
  const status = editedStatus(type);
  const isNew = type.kind === 'collectionType' && place.documentId === undefined;

  const read = (at: Place) =>
    queries.fetchQuery({ queryKey: keyOf(at, status), queryFn: () => readVersion(model, at, status), staleTime: 0 });

  /** Reads both versions again, and whatever lists show. */
  async function refresh(at: Place, sent: FormValues): Promise<void> {
    queries.invalidateQueries({ queryKey: [type.path] });
    queries.invalidateQueries({ queryKey: keyOf(at, 'published') });
    editing.rebase(await read(at), sent);
  }

  async function meet(): Promise<void> {
    const version = await read(place);
    if (version) setMeeting({ version, clashes: editing.clashesWith(version) });
    else notify('It was deleted meanwhile. Your changes are still in the form.');
  }

  /** One after the other, so that a key that is pressed too early is not lost. */
  function run(failure: string, work: () => Promise<void>): Promise<void> {
    queue.current = queue.current.then(async () => {
      if (editing.hasEnded()) return;
      setBusy(true);
      try {
        await work();
      } catch (error) {
        if (error instanceof ApiError && error.status === 412) await meet();
        else notifyError(failure, error);
        if (error instanceof ApiError) editing.show(error.issues);
      } finally {
        setBusy(false);
      }
    });
    return queue.current;
  }

  /** Saves, and returns the place of the document and its tag. */
  async function write(isPublished: boolean): Promise<{ readonly at: Place; readonly etag: string | null }> {
    const sent = structuredClone<FormValues>(editing.form.getValues());
    const { body, etag } = await save(place, editing.body(), editing.etag(), isPublished);
    const at = isNew ? { ...place, documentId: body.data.documentId } : place;
    if (isNew) editing.end();
    else await refresh(at, sent);
    return { at, etag };
  }

  const open = (at: Place) =>
    navigate(`/content/${type.segment}/${at.documentId}${at.locale ? `?locale=${at.locale}` : ''}`, { replace: true });

  const saveNow = () =>
    run('Not saved', async () => {
      if (!(await editing.check(!type.hasDrafts || status === 'published'))) return;
      const { at } = await write(status === 'published');
      notify(isNew ? 'Created' : 'Saved');
      if (isNew) open(at);
    });

  const publish = () =>
    run('Not published', async () => {
      if (!(await editing.check(true))) return;
      const hasAction = mayAct(model, type, 'publish');
      const isWritten = editing.hasChanges() || isNew || !hasAction;
      const { at, etag } = isWritten ? await write(!hasAction) : { at: place, etag: editing.etag() };
      const sent = structuredClone<FormValues>(editing.form.getValues());
      try {
        if (hasAction) await act(at, 'publish', etag);
      } finally {
        if (isNew) open(at);
        else await refresh(at, sent);
      }
      notify('Published');
    });

  const change = (action: Action, done: string) =>
    run(`Not done: ${action}`, async () => {
      await act(place, action, null);
      queries.invalidateQueries({ queryKey: [type.path] });
      queries.invalidateQueries({ queryKey: keyOf(place, 'published') });
      const version = await read(place);
      if (action === 'discard-draft' && version) editing.settle(version, {});
      if (version) editing.rebase(version, editing.form.getValues());
      notify(done);
    });

  const erase = (isWhole: boolean) =>
    run('Not deleted', async () => {
      await remove(place, isWhole);
      editing.end();
      queries.removeQueries({ queryKey: ['document'] });
      queries.invalidateQueries({ queryKey: [type.path] });
      notify('Deleted');
      navigate(type.kind === 'singleType' ? '/' : neighboursOf(type.segment, undefined).address);
    });

  return { isBusy, meeting, endMeeting: () => setMeeting(null), saveNow, publish, change, erase, meet };
}
