/**
 * @module The form of a document, with its actions.
 */
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import { useBeforeUnload, useNavigate } from 'react-router';
import { editedStatus, screenOf, titleOf } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { timeText } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Comparison, Conflict } from './comparison.tsx';
import { DocumentActions } from './document-actions.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { StateBadge, stateOf } from './document-state.tsx';
import { formAttributes, useEditing } from './editing.ts';
import { AttributeInputs } from './fields/attribute-input.tsx';
import { copyOf, entriesOf, fromDocument } from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { Beside, LocaleSelect, useOtherLocale } from './locales.tsx';
import { neighboursOf } from './neighbours.ts';
import { useActions } from './use-actions.ts';
import { isNewAt, type Place, type Version } from './version.ts';

interface EditorProps {
  readonly place: Place;
  /** The version that is edited; null where there is none yet. */
  readonly version: Version | null;
  readonly published: Version | null;
  /** Somebody else has deleted it while it was on the screen. */
  readonly isDeleted: boolean;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
}

/** The tab of the form. */
const EDIT = 'Draft';

export function DocumentEditor({ place, version, published, isDeleted, locales }: EditorProps) {
  const model = useModel();
  const navigate = useNavigate();
  const { type, documentId, locale } = place;
  const isNew = isNewAt(place);
  const isReadOnly = !type.actions.has(isNew ? 'create' : 'update');
  const attributes = useMemo(() => formAttributes(place), [place]);
  const editing = useEditing(place, attributes, version, isReadOnly);
  const [tab, setTab] = useState(EDIT);
  const actions = useActions(place, editing, () => flushSync(() => setTab(EDIT)));
  const [besideLocale, setBesideLocale] = useState('');
  const others = locales.filter((code) => code !== locale);
  const beside = useOtherLocale(place, besideLocale);
  const { address, previous, next } = neighboursOf(type.segment, documentId);
  const isStale = version !== null && editing.etag() !== null && version.etag !== editing.etag() && !actions.isBusy;
  // Asks before the tab is closed with changes that are not saved.
  useBeforeUnload((event) => editing.isChanged && event.preventDefault());
  useEffect(() => {
    if (isStale && !editing.isUnsaved()) editing.rebase(version);
  });
  useEffect(() => {
    if (isNew) document.querySelector<HTMLElement>('.document-form :is(input, select, textarea)')?.focus();
  }, [isNew]);

  const go = (id: string | undefined) => id && navigate(screenOf(type, id, locale));
  useKeys({
    'Ctrl+s': () => isReadOnly || actions.saveNow(),
    'Ctrl+Enter': () => (actions.mayPublish ? actions.publish() : isReadOnly || actions.saveNow()),
    'Alt+PageDown': () => go(next),
    'Alt+PageUp': () => go(previous),
    'Ctrl+Alt+n': () => type.actions.has('create') && navigate(`/content/${type.segment}/new`),
  });

  const showBeside = (name: string) => {
    const attribute = attributes[name];
    if (!beside || !attribute) return null;
    const copy = () => {
      const whole = fromDocument(model, { [name]: attribute }, beside.document)[fieldName(name)];
      const isNested = attribute.type === 'component' || attribute.type === 'dynamiczone';
      const entries = isNested ? entriesOf(whole).map((entry) => copyOf(model, attribute, entry)) : [];
      const isOne = attribute.type === 'component' && !attribute.repeatable;
      editing.form.setValue(fieldName(name), isNested ? (isOne ? (entries[0] ?? null) : entries) : whole);
    };
    return <Beside attribute={attribute} value={beside.document[name]} locale={besideLocale} onCopy={copy} />;
  };

  const isNamed = version && type.kind === 'collectionType';
  const title = isNew ? `New: ${type.name}` : isNamed ? titleOf(type, version.document) : type.name;
  const owner = { type, documentId, locale, status: editedStatus(type), isReadOnly };
  const form = (
    <FormProvider {...editing.form}>
      <form
        onSubmit={(event) => event.preventDefault()}
        className={beside ? 'document-form card with-beside' : 'document-form card'}
      >
        <AttributeInputs attributes={attributes} prefix="" owner={owner} beside={beside ? showBeside : undefined} />
      </form>
    </FormProvider>
  );

  return (
    <Page
      title={title}
      aside={type.hasDrafts && version && <StateBadge state={stateOf(version.document, published?.document ?? null)} />}
      actions={<DocumentActions {...{ place, version, published, locales, editing, actions, isReadOnly }} />}
    >
      <div className="row">
        {type.kind === 'collectionType' && (
          <>
            <Button look="quiet" icon="back" onClick={() => navigate(address)}>
              {type.name}
            </Button>
            <Button look="quiet" disabled={!previous} title="Alt+PageUp" onClick={() => go(previous)}>
              Previous
            </Button>
            <Button look="quiet" disabled={!next} title="Alt+PageDown" onClick={() => go(next)}>
              Next
            </Button>
          </>
        )}
        {locale && (
          <LocaleSelect
            label="Locale"
            value={locale}
            codes={[...new Set([...model.locales.map(({ code }) => code), ...locales])]}
            existing={locales}
            onChange={(code) => navigate(`?locale=${code}`)}
          />
        )}
        {others.length > 0 && (
          <LocaleSelect
            label="Another locale beside"
            value={besideLocale}
            codes={others}
            existing={others}
            none="Beside: none"
            onChange={setBesideLocale}
          />
        )}
      </div>
      {editing.restored !== null && (
        <p className="notice" role="status">
          Your unsaved changes of {timeText(new Date(editing.restored).toISOString())} are in the form.{' '}
          <Button look="quiet" onClick={() => editing.discard()}>
            Discard them
          </Button>
        </p>
      )}
      {isDeleted && (
        <p className="notice" role="status">
          This document was deleted meanwhile. What you wrote is still in the form.
        </p>
      )}
      {isStale && (
        <p className="notice" role="status">
          Someone else has saved this document since you opened it.{' '}
          <Button look="quiet" onClick={actions.compare}>
            Compare and go on
          </Button>
        </p>
      )}
      {version === null && !isNew && (
        <p className="notice">
          There is nothing here yet{locale && ` in ${locale}`}: saving makes it.
          {locales.length > 0 && ` It is there in ${locales.join(', ')}.`}
        </p>
      )}
      <div className="beside-content">
        {version && published && type.hasDrafts && editedStatus(type) === 'draft' ? (
          <div className="content">
            <Tabs
              value={tab}
              onValueChange={setTab}
              panels={{
                [EDIT]: form,
                'Compare with published': (
                  <Comparison type={type} draft={version.document} published={published.document} />
                ),
              }}
            />
          </div>
        ) : (
          <div className="content">{form}</div>
        )}
        <DocumentFacts place={place} version={version} published={published} />
      </div>
      {actions.meeting && (
        <Conflict
          clashes={actions.meeting.clashes}
          onClose={actions.endMeeting}
          onChoose={(values) => {
            if (actions.meeting) editing.settle(actions.meeting.version, values);
            actions.endMeeting();
          }}
        />
      )}
    </Page>
  );
}
