/**
 * @module The form of a document, with its actions.
 */
import { Tabs } from '@base-ui/react/tabs';
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { editedStatus, mayDo, screenOf, titleOf } from '../model/model.ts';
import { useModel } from '../shell/model.ts';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { timeText } from '../ui/states.tsx';
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

/** The keys of the page; none of them works while a dialog is open. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const name = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.key}`;
      const action = keys[name];
      if (!action) return;
      event.preventDefault();
      if (!document.querySelector('.dialog')) action();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}

/** Asks before the tab is closed with changes that are not saved. */
function useGoodbye(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}

export function DocumentEditor({ place, version, published, isDeleted, locales }: EditorProps) {
  const model = useModel();
  const navigate = useNavigate();
  const { type, documentId, locale } = place;
  const isNew = isNewAt(place);
  const isReadOnly = !mayDo(model, type, isNew ? 'create' : 'update');
  const attributes = useMemo(() => formAttributes(place), [place]);
  const editing = useEditing(place, attributes, version, isReadOnly);
  const [tab, setTab] = useState('edit');
  const actions = useActions(place, editing, () => flushSync(() => setTab('edit')));
  const [besideLocale, setBesideLocale] = useState('');
  const others = locales.filter((code) => code !== locale);
  const beside = useOtherLocale(place, besideLocale);
  const { address, previous, next } = neighboursOf(type.segment, documentId);
  const isStale = version !== null && editing.etag() !== null && version.etag !== editing.etag() && !actions.isBusy;
  useGoodbye(editing.isChanged);
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
    'Ctrl+Alt+n': () => mayDo(model, type, 'create') && navigate(`/content/${type.segment}/new`),
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
      <div className="document-bar row">
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
      <div className="document-layout">
        {version && published && type.hasDrafts && editedStatus(type) === 'draft' ? (
          <Tabs.Root value={tab} onValueChange={setTab} className="document-main">
            <Tabs.List className="tabs">
              <Tabs.Tab value="edit" className="tab">
                Draft
              </Tabs.Tab>
              <Tabs.Tab value="compare" className="tab">
                Compare with published
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="edit" keepMounted>
              {form}
            </Tabs.Panel>
            <Tabs.Panel value="compare">
              <Comparison type={type} draft={version.document} published={published.document} />
            </Tabs.Panel>
          </Tabs.Root>
        ) : (
          <div className="document-main">{form}</div>
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
