/**
 * @module The buttons of a document.
 */
import { useState } from 'react';
import { editedStatus } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm, Menu } from '../ui/popups.tsx';
import type { Editing } from './editing.ts';
import { ScheduleDialog } from './schedule.tsx';
import type { useActions } from './use-actions.ts';
import { mayAct, type Place, type Version } from './version.ts';

interface ActionsProps {
  readonly place: Place;
  readonly version: Version | null;
  readonly published: Version | null;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
  readonly editing: Editing;
  readonly actions: ReturnType<typeof useActions>;
  readonly isReadOnly: boolean;
}

/** What is asked before an action. */
const QUESTIONS = {
  unpublish: { action: 'Unpublish', text: 'Readers do not see it any more. The draft stays.' },
  discard: {
    action: 'Discard the draft',
    text: 'The draft is replaced by the published version. Its changes are lost.',
  },
  delete: { action: 'Delete', text: 'It is deleted for good, the draft and the published version.' },
  'delete all': { action: 'Delete', text: 'It is deleted for good, in all locales.' },
} as const;

export function DocumentActions({ place, version, published, locales, editing, actions, isReadOnly }: ActionsProps) {
  const model = useModel();
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | 'schedule' | null>(null);
  const { type } = place;
  const isDraft = editedStatus(type) === 'draft';
  const maySchedule = version !== null && (mayAct(model, type, 'publish') || mayAct(model, type, 'unpublish'));
  const mayDelete = version !== null && type.actions.has('delete');
  const isInLocales = locales.length > 1;
  const items = [
    { label: 'Schedule …', name: 'schedule', isShown: maySchedule },
    { label: 'Unpublish', name: 'unpublish', isShown: published !== null && mayAct(model, type, 'unpublish') },
    {
      label: 'Discard the draft',
      name: 'discard',
      isShown: published !== null && isDraft && mayAct(model, type, 'discard-draft'),
    },
    { label: isInLocales ? `Delete in ${place.locale}` : 'Delete', name: 'delete', isShown: mayDelete },
    { label: 'Delete in all locales', name: 'delete all', isShown: mayDelete && isInLocales },
  ] as const;
  const shown = items.filter(({ isShown }) => isShown);
  const close = () => setAsked(null);
  const answers = {
    unpublish: () => actions.change('unpublish', 'Unpublished'),
    discard: () => actions.change('discard-draft', 'Discarded'),
    delete: () => actions.erase(false),
    'delete all': () => actions.erase(true),
  };
  return (
    <>
      {!isReadOnly && editing.isChanged && version && (
        <Button onClick={() => editing.discard()} disabled={actions.isBusy}>
          Undo changes
        </Button>
      )}
      {!isReadOnly && (
        <Button
          look={actions.mayPublish ? undefined : 'primary'}
          title="Ctrl+S"
          aria-keyshortcuts="Control+S"
          disabled={actions.isBusy || (!editing.isChanged && version !== null)}
          onClick={actions.saveNow}
        >
          {type.hasDrafts && !isDraft ? 'Save and publish' : 'Save'}
        </Button>
      )}
      {actions.mayPublish && (
        <Button
          look="primary"
          title="Ctrl+Enter"
          aria-keyshortcuts="Control+Enter"
          disabled={actions.isBusy}
          onClick={actions.publish}
        >
          Publish
        </Button>
      )}
      {shown.length > 0 && (
        <Menu
          trigger={<IconButton icon="more" label="More actions" />}
          items={shown.map(({ label, name }) => ({
            label,
            isDangerous: name.startsWith('delete'),
            onSelect: () => setAsked(name),
          }))}
        />
      )}
      {asked === 'schedule' && <ScheduleDialog place={place} onClose={close} />}
      {asked && asked !== 'schedule' && (
        <Confirm
          title={`${QUESTIONS[asked].action}?`}
          {...QUESTIONS[asked]}
          isDangerous={asked !== 'unpublish'}
          onClose={close}
          onConfirm={answers[asked]}
        />
      )}
    </>
  );
}
