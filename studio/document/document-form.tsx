/**
 * @module The form of a version, with its notices: on a screen of its own, or in a layer over another form.
 */
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider, useFormState } from 'react-hook-form';
import { editedStatus } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { useKeys } from '../ui/keys.ts';
import { Notice } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';
import { Conflict } from './comparison.tsx';
import { formAttributes, useEditing } from './editing.ts';
import { AttributeInputs } from './fields/attribute-input.tsx';
import type { FieldOwner } from './fields/owner.ts';
import { errorsIn, firstError } from './first-error.ts';
import { PictureQuestion, usePictureQuestion } from './picture-question.tsx';
import { isNewAt, type Place } from './place.ts';
import { useActions } from './use-actions.ts';
import { useLayer } from './use-layer.ts';
import { type LayerPlace, type ReadVersion, revisionOf } from './version.ts';

/** Scrolls to an input, and focuses it: its control, an editor, or the first button of what has neither. */
function focusInput(element: Element | null, path: string): void {
  const field = element?.querySelector(`.input-place[data-path="${CSS.escape(path)}"] .field`);
  const label = field?.querySelector<HTMLLabelElement>(':scope > label');
  const editors = ['.code-editor', '[contenteditable=true]', 'button'].map((selector) =>
    field?.querySelector<HTMLElement>(selector),
  );
  field?.scrollIntoView({ block: 'center' });
  (label?.control ?? editors.find(Boolean))?.focus({ preventScroll: true });
}

const NO_FORMS: readonly Place[] = [];

interface FormOptions {
  readonly place: Place;
  readonly version: ReadVersion | null;
  readonly published: ReadVersion | null;
  /** The version in another locale, where this one has no version. */
  readonly other: ReadVersion | null;
  /** Makes the form visible. */
  readonly showForm: () => void;
  /** Opens the place of the created document, in the same form. */
  readonly goOn: (created: Place) => void;
  readonly layer?: LayerPlace;
}

export function useDocumentForm({ place, version, published, other, showForm, goOn, layer }: FormOptions) {
  const model = useModel();
  const { type } = place;
  const isNew = isNewAt(place);
  const isStored = version !== null;
  const isReadOnly = !type.actions.has(isNew ? 'create' : 'update');
  const below = layer?.below ?? NO_FORMS;
  const attributes = useMemo(() => formAttributes(place), [place]);
  const editing = useEditing(place, attributes, version, isReadOnly, below.length, other);
  const element = useRef<HTMLFormElement>(null);
  const [unfolded, unfold] = useState<FieldOwner['unfolded']>();
  const [isChecked, setChecked] = useState(false);
  const showError = () => {
    showForm();
    setChecked(true);
    const path = firstError(
      model,
      attributes,
      type.layout,
      editing.form.getValues(),
      errorsIn(editing.form, attributes),
    );
    if (path === undefined) return;
    flushSync(() => unfold({ path }));
    focusInput(element.current, path);
  };
  const plain = useActions(place, editing, { version, published, showError, goOn, layer });
  const { publish, question } = usePictureQuestion(() => editing.form.getValues(), plain.publish);
  const actions = { ...plain, publish };
  const forms = useMemo(() => [...below, place], [below, place]);
  const over = useLayer(forms);
  const { opened, inPlace } = over;
  const isNewer = editing.isOther(version) && !actions.isBusy && !actions.meeting;
  useEffect(() => {
    // A dialog may be for an entry that another user has moved.
    if (!isNewer || opened || document.querySelector('.dialog')) return;
    // An effect draws nothing at once.
    queueMicrotask(() => {
      if (editing.isOther(version) && (version === null || !editing.isLeftUnsaved())) editing.rebase(version);
    });
  });
  useKeys(
    {
      'Ctrl+s': () => isReadOnly || actions.saveNow(),
      'Ctrl+Enter': () => (actions.mayPublish ? actions.publish() : isReadOnly || actions.saveNow()),
    },
    below.length,
  );
  const owner = useMemo(
    () => ({ ...place, status: editedStatus(place.type), isReadOnly, isStored, inPlace, unfolded }),
    [place, inPlace, isReadOnly, isStored, unfolded],
  );
  return {
    ...{ place, version, isNew, isReadOnly, attributes, editing, actions, owner, forms, over, element, question },
    isInLayer: layer !== undefined,
    /** Was something found to be wrong as it was sent? */
    isChecked,
    showError,
    /** Someone else has saved since. */
    isStale: isNewer && revisionOf(version?.etag) !== revisionOf(editing.etag()),
  };
}

export type DocumentFormState = ReturnType<typeof useDocumentForm>;

interface FormProps {
  readonly form: DocumentFormState;
  readonly beside?: ComponentProps<typeof AttributeInputs>['beside'];
}

const INPUTS = ':is(input, select, textarea)';
export const FIRST_INPUT = `.document-form ${INPUTS}`;

export function DocumentForm({ form: { element, editing, attributes, owner, isNew, isInLayer }, beside }: FormProps) {
  const [startsFocused] = useState(isNew || isInLayer);
  useEffect(() => {
    if (startsFocused) element.current?.querySelector<HTMLElement>(INPUTS)?.focus();
  }, [startsFocused, element]);
  return (
    <FormProvider {...editing.form}>
      <form
        ref={element}
        onSubmit={(event) => event.preventDefault()}
        className={beside ? 'document-form card with-beside' : 'document-form card'}
      >
        <AttributeInputs attributes={attributes} layout={owner.type.layout} prefix="" owner={owner} beside={beside} />
      </form>
    </FormProvider>
  );
}

interface NoticesProps {
  readonly form: DocumentFormState;
  /** Another user has deleted it while it was on the screen. */
  readonly isDeleted: boolean;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
}

/** How much is wrong in a form that was sent: some of it may be below. */
function Wrong({ form: { editing, isChecked, showError } }: Pick<NoticesProps, 'form'>) {
  const { errors } = useFormState({ control: editing.form.control });
  const count = Object.keys(errors).length;
  if (!isChecked || count === 0) return null;
  return (
    <Notice action={text('Show the first')} onAct={showError}>
      {text('{count} field needs a change. | {count} fields need a change.', { count })}
    </Notice>
  );
}

/** What one should know of the version, and the question where two people changed it. */
export function DocumentNotices({ form, isDeleted, locales }: NoticesProps) {
  const { place, version, isNew, isStale, editing, actions, question } = form;
  const { locale } = place;
  const { meeting } = actions;
  return (
    <>
      {editing.restored !== null && (
        <Notice action={text('Discard changes')} onAct={() => editing.discard()}>
          {text('Your unsaved changes of {time} are in the form.', {
            time: timeText(new Date(editing.restored).toISOString()),
          })}
        </Notice>
      )}
      <Wrong form={form} />
      {isDeleted && (
        <Notice>{text('This document was deleted meanwhile. What you wrote is still in the form.')}</Notice>
      )}
      {isStale && (
        <Notice action={text('Compare and go on')} onAct={actions.compare}>
          {text('Someone else has saved this document since you opened it.')}
        </Notice>
      )}
      {version === null && !isNew && (
        <Notice>
          {text(
            locale
              ? 'There is nothing here yet in {locale}: saving makes it.'
              : 'There is nothing here yet: saving makes it.',
            { locale: locale ?? '' },
          )}{' '}
          {locales.length > 0 && text('It is there in {locales}.', { locales: locales.join(', ') })}
        </Notice>
      )}
      <PictureQuestion {...question} />
      {meeting && (
        <Conflict
          key={JSON.stringify([meeting.version.etag, ...meeting.clashes.map(({ mine }) => mine)])}
          {...meeting}
          onClose={actions.endMeeting}
          onChoose={actions.choose}
        />
      )}
    </>
  );
}
