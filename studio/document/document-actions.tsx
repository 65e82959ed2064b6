/**
 * @module The buttons of a document.
 */
import { useState } from 'react';
import { editedStatus, titleOf } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Confirm } from '../ui/popups.tsx';
import { timeText } from '../ui/texts.ts';
import { copyText, notifyError } from '../ui/toasts.tsx';
import { Deletion } from './deletion.tsx';
import { ScheduleDialog } from './document-facts.tsx';
import { Duplication } from './duplication.tsx';
import type { Editing } from './editing.ts';
import type { Place } from './place.ts';
import type { useActions } from './use-actions.ts';
import { mayAct, previewLink, type ReadVersion } from './version.ts';

interface ActionsProps {
  readonly place: Place;
  readonly version: ReadVersion | null;
  readonly published: ReadVersion | null;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
  readonly editing: Editing;
  readonly actions: ReturnType<typeof useActions>;
  readonly isReadOnly: boolean;
  /** Over another form: only what saves. */
  readonly isInLayer?: boolean;
}

export function DocumentActions(props: ActionsProps) {
  const { place, version, published, locales, editing, actions, isReadOnly, isInLayer = false } = props;
  const model = useModel();
  /** The label of what was chosen in the menu. */
  const [asked, setAsked] = useState('');
  const { type } = place;
  const isDraft = editedStatus(type) === 'draft';
  // Who reads no drafts sees published versions alone.
  const isPublished = !isDraft || published !== null;
  const mayDelete = version !== null && type.actions.has('delete') && !(isPublished && type.draftsOnly.has('delete'));
  const isInLocales = locales.length > 1;
  const isScheduled = version !== null && (mayAct(model, type, 'publish') || mayAct(model, type, 'unpublish'));
  const name = version ? titleOf(type, version.document) : type.name;
  const deletion = (codes: readonly string[]) =>
    version && <Deletion {...{ type, codes, locales, isPublished }} document={version.document} />;
  const scheduleLabel = text('Schedule …');
  const inLocale = { name, locale: place.locale ?? '' };
  const questions = [
    {
      label: text('Unpublish'),
      isShown: published !== null && mayAct(model, type, 'unpublish'),
      text: text('Readers do not see it any more. The draft stays.'),
      onConfirm: actions.unpublish,
    },
    {
      label: text('Discard the draft'),
      isShown: published !== null && isDraft && mayAct(model, type, 'discard-draft'),
      isDangerous: true,
      text: text('The draft is replaced by the published version. Its changes are lost.'),
      onConfirm: actions.discardDraft,
    },
    {
      label: text(isInLocales ? 'Delete in {locale}' : 'Delete', inLocale),
      title: text(isInLocales ? 'Delete “{name}” in {locale}?' : 'Delete “{name}”?', inLocale),
      action: text('Delete'),
      isShown: mayDelete,
      isDangerous: true,
      text: deletion([place.locale ?? '']),
      onConfirm: () => actions.erase(false),
    },
    {
      label: text('Delete in all locales'),
      title: text('Delete “{name}” in all locales?', { name }),
      action: text('Delete'),
      // Without these, nothing tells whether another locale was changed meanwhile.
      isShown: mayDelete && isInLocales && type.shown.has('locale') && type.shown.has('updatedAt'),
      isDangerous: true,
      text: deletion(locales),
      onConfirm: () => actions.erase(true),
    },
  ].filter(({ isShown }) => isShown);
  const question = questions.find(({ label }) => label === asked);
  const mayDuplicate =
    ['create', 'find', 'findOne'].every((action) => type.actions.has(action)) && type.hasDrafts === isDraft;
  const duplicateLabel = text('Duplicate …');
  const choices = [
    ...(version && type.kind === 'collectionType' && mayDuplicate ? [{ label: duplicateLabel }] : []),
    ...(isScheduled ? [{ label: scheduleLabel }] : []),
    ...questions,
  ];
  const close = () => setAsked('');
  const copyLink = async () => {
    try {
      const { url, expiresAt } = await previewLink(place, editedStatus(type));
      await copyText(url, text('Copied. The link is valid until {time}.', { time: timeText(expiresAt) }));
    } catch (error) {
      notifyError(text('There is no link'), error);
    }
  };
  const items = [
    ...(version && type.actions.has('previewLink') ? [{ label: text('Copy a preview link'), onSelect: copyLink }] : []),
    ...choices.map((choice) => ({ ...choice, onSelect: () => setAsked(choice.label) })),
  ];
  return (
    <>
      {!isReadOnly && editing.isChanged && version && (
        <Button label={text('Undo changes')} onClick={() => editing.discard()} disabled={actions.isBusy} />
      )}
      {!isReadOnly && (
        <Button
          label={text(type.hasDrafts && actions.savesPublished ? 'Save and publish' : 'Save')}
          look={actions.mayPublish ? undefined : 'primary'}
          title={text('Ctrl+S')}
          aria-keyshortcuts="Control+S"
          disabled={actions.isBusy || (!editing.isChanged && version !== null)}
          onClick={actions.saveNow}
        />
      )}
      {actions.mayPublish && (
        <Button
          label={text('Publish')}
          look="primary"
          title={text('Ctrl+Enter')}
          aria-keyshortcuts="Control+Enter"
          disabled={actions.isBusy}
          onClick={actions.publish}
        />
      )}
      {items.length > 0 && !isInLayer && (
        <Menu trigger={<IconButton icon="more" label={text('More actions')} />} items={items} />
      )}
      {asked === scheduleLabel && <ScheduleDialog place={place} name={name} onClose={close} />}
      {asked === duplicateLabel && version && <Duplication {...{ place, version, locales }} onClose={close} />}
      {question && <Confirm action={asked} title={`${asked}?`} {...question} onClose={close} />}
    </>
  );
}
