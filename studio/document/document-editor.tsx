/**
 * @module The form of a document, with its actions.
 */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { FormProvider } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { screenOf, titleOf } from '../model/model.ts';
import { neighboursOf, StateBadge } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/inputs.tsx';
import { useKeys } from '../ui/keys.ts';
import { Tabs } from '../ui/popups.tsx';
import { Loading } from '../ui/states.tsx';
import { Beside } from './comparison.tsx';
import { DocumentActions } from './document-actions.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentForm, DocumentNotices, useDocumentForm } from './document-form.tsx';
import { useDocumentView } from './document-view.ts';
import { newScreenOf } from './kept-changes.ts';
import { OpenedLayer } from './layer.tsx';
import { Leaving } from './leaving.tsx';
import { isNewAt, type Place } from './place.ts';
import { mayRestore } from './revisions.ts';
import { SCHEDULED, ScheduledActions } from './scheduled.tsx';
import { type ReadVersion, shownState, versionsAt } from './version.ts';

interface EditorProps {
  readonly place: Place;
  /** The version that is edited; null where there is none yet. */
  readonly version: ReadVersion | null;
  readonly other: ReadVersion | null;
  readonly published: ReadVersion | null;
  /** Another user has deleted it while it was on the screen. */
  readonly isDeleted: boolean;
  /** Codes of the locales that the document is in. */
  readonly locales: readonly string[];
  /** Opens the place of the created document, in the same form. */
  readonly goOn: (created: Place) => void;
}

const PreviewPane = lazy(async () => ({ default: (await import('../preview/preview-pane.tsx')).PreviewPane }));

const HistoryPane = lazy(async () => ({ default: (await import('../history/history-pane.tsx')).HistoryPane }));
const VersionComparison = lazy(async () => ({
  default: (await import('../history/comparison.tsx')).VersionComparison,
}));

/** In the order of the tabs. */
const TABS = [
  ['edit', 'Edit'],
  ['compare', 'Compare'],
  ['history', 'History'],
] as const;

export function DocumentEditor({ place, version, other, published, isDeleted, locales, goOn }: EditorProps) {
  const model = useModel();
  const navigate = useNavigate();
  const { type, documentId, locale } = place;
  const isNew = isNewAt(place);
  const hasPage = version !== null && type.actions.has('previewLink');
  const view = useDocumentView({ place, hasPage });
  const { isPageShown, showPage } = view;
  const showForm = () => view.open('edit');
  const form = useDocumentForm({ place, version, published, other, showForm, goOn });
  const { isReadOnly, attributes, editing, actions } = form;
  const others = locales.filter((code) => code !== locale);
  const besideLocale = others.includes(view.besideLocale) ? view.besideLocale : '';
  const besidePlace = { ...place, locale: besideLocale };
  const beside = useQuery({ ...versionsAt(model, besidePlace), enabled: besideLocale !== '' }).data?.edited?.document;
  const { address, previous, next } = neighboursOf(
    type.segment,
    documentId === undefined ? null : { documentId, locale: locale ?? null },
  );
  const go = (row: typeof next) =>
    row && navigate(screenOf(type, row.documentId, type.isLocalized ? row.locale : null));
  useKeys({
    'Alt+PageDown': () => go(next),
    'Alt+PageUp': () => go(previous),
    'Ctrl+Alt+n': () => type.actions.has('create') && navigate(newScreenOf(type)),
  });

  const isMissing = (code: string) => locales.length > 0 && !locales.includes(code);
  const nameOf = (code: string) => {
    const name = model.locales[code] ?? code;
    return isMissing(code) ? text('{name} (new)', { name }) : name;
  };
  const isNamed = version && type.kind === 'collectionType';
  const title = isNew ? text('New {name}', { name: type.name }) : isNamed ? titleOf(type, version.document) : type.name;
  const inputs = (
    <DocumentForm
      form={form}
      beside={beside && ((name, attribute) => <Beside name={name} attribute={attribute} document={beside} />)}
    />
  );
  const page = version && isPageShown && (
    <FormProvider {...editing.form}>
      <Suspense fallback={<Loading />}>
        <PreviewPane {...{ place, version, published, attributes, showForm }} onClose={() => showPage(false)} />
      </Suspense>
    </FormProvider>
  );
  const comparison = version && published && (
    <Suspense fallback={<Loading />}>
      <VersionComparison type={type} draft={version.document} published={published.document} />
    </Suspense>
  );
  const history = !isNew && type.actions.has('history') && (
    <Suspense fallback={<Loading />}>
      <HistoryPane
        place={place}
        current={version?.document ?? null}
        onRestore={mayRestore(type, isDeleted) ? (revision) => actions.restore(revision, isDeleted) : undefined}
        onTake={isReadOnly ? undefined : editing.take}
        isUnsaved={editing.isChanged}
      />
    </Suspense>
  );
  const panels = { edit: inputs, compare: comparison, history };
  const tabs = TABS.filter(([name]) => panels[name]);
  const shownTab = tabs.find(([name]) => name === view.tab) ?? TABS[0];
  const isTabThere = shownTab[0] === view.tab;
  const dropTab = useEffectEvent(view.dropTab);
  // Otherwise it would open by itself once it is there.
  useEffect(() => {
    if (!isTabThere) dropTab();
  }, [isTabThere]);

  const way = type.kind === 'collectionType' && (
    <nav className="row nowrap way" aria-label={text('List')}>
      <Button label={type.plural} look="quiet" icon="back" onClick={() => navigate(address)} />
      {!isNew && (
        <>
          <IconButton
            icon="up"
            label={text('Previous')}
            disabled={!previous}
            title={text('Alt+PageUp')}
            onClick={() => go(previous)}
          />
          <IconButton
            icon="down"
            label={text('Next')}
            disabled={!next}
            title={text('Alt+PageDown')}
            onClick={() => go(next)}
          />
        </>
      )}
    </nav>
  );
  const localeChoices = locale && (
    <div className="row">
      <Select
        label={text('Locale')}
        value={locale}
        options={Object.fromEntries([...Object.keys(model.locales), ...locales].map((code) => [code, nameOf(code)]))}
        onChange={(code) => navigate(`?locale=${code}`)}
      />
      {others.length > 0 && (
        <Select
          label={text('Another locale beside')}
          value={besideLocale}
          options={Object.fromEntries(others.map((code) => [code, nameOf(code)]))}
          none={text('Compare locale')}
          onChange={view.showBeside}
        />
      )}
    </div>
  );
  const pageButton = hasPage && (
    <Button
      label={text('Show the page')}
      className="preview-toggle"
      aria-pressed={isPageShown}
      onClick={() => showPage(!isPageShown)}
    />
  );

  return (
    <PageLayout
      title={title}
      before={way}
      aside={type.hasDrafts && version && <StateBadge state={shownState(type, version, published)} />}
      actions={
        <>
          {pageButton}
          <DocumentActions {...{ place, version, published, locales, editing, actions, isReadOnly }} />
        </>
      }
    >
      <DocumentNotices {...{ form, isDeleted, locales }} />
      {page && model.may('get', SCHEDULED) && <ScheduledActions place={place} />}
      <div className={page ? 'beside-content with-page' : 'beside-content'}>
        <div className="content">
          <Tabs
            value={text(shownTab[1])}
            onValueChange={(label) => view.open(tabs.find((tab) => text(tab[1]) === label)?.[0] ?? 'edit')}
            aside={localeChoices}
            panels={Object.fromEntries(tabs.map(([name, label]) => [text(label), panels[name]]))}
          />
        </div>
        {page}
        <DocumentFacts place={place} version={version} published={published} />
      </div>
      <Leaving editing={editing} isWaiting={actions.meeting !== null} />
      <OpenedLayer form={form} />
    </PageLayout>
  );
}
