/**
 * @module The first screen: what is to be done, what there is, and what changed.
 */
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { newScreenOf } from '../document/kept-changes.ts';
import { SCHEDULED, ScheduledActions, useScheduled } from '../document/scheduled.tsx';
import { type ContentType, type Document, ownTypes } from '../model/model.ts';
import { DocumentLink, StateBadge } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { numberText, text } from '../texts/text.ts';
import { Loading } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { CHANGES, LastChanges } from './last-changes.tsx';
import { type Latest, mayCompare, type Unfinished, useLatest, useUnfinished } from './latest.ts';

/** Callers who see content never load it. */
const Welcome = lazy(async () => ({ default: (await import('./welcome.tsx')).Welcome }));

const timeOf = ({ updatedAt = '' }: Document): string => updatedAt;

/** Returns the latest changes of all content types, at most ten, and at most three of each. */
const merged = (latest: readonly Latest[]): readonly { type: ContentType; document: Document }[] =>
  latest
    .flatMap(({ type, documents }) => documents.map((document) => ({ type, document })))
    .sort((a, b) => timeOf(b.document).localeCompare(timeOf(a.document)))
    .slice(0, 10);

function TypeLine({ latest: { type, total, documents, error } }: { readonly latest: Latest }) {
  const mayMake = type.actions.has(type.kind === 'singleType' ? 'update' : 'create');
  return (
    <tr>
      <td>
        <Link to={`/content/${type.segment}`}>{type.plural}</Link>
      </td>
      <td>{error ? <span className="danger">{error.message}</span> : total === undefined ? '…' : numberText(total)}</td>
      <td className="muted ellipsis">
        {total === 0 && mayMake && <Link to={newScreenOf(type)}>{text('Make the first document')}</Link>}
        <Time of={documents[0]?.updatedAt} />
      </td>
    </tr>
  );
}

interface ChangesProps {
  readonly title: string;
  /** Of types without a history. */
  readonly latest: readonly Latest[];
}

function Changes({ title, latest }: ChangesProps) {
  return (
    <section className="card padded stack">
      <h2>{title}</h2>
      <ul className="plain lines">
        {merged(latest).map(({ type, document }) => (
          <li key={`${type.uid} ${document.documentId}`}>
            <DocumentLink type={type} document={document} />
            <div className="muted small">
              {type.name} · <Time of={document.updatedAt} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function InProgress({ unfinished }: { readonly unfinished: readonly Unfinished[] }) {
  const { locales } = useModel();
  return (
    <section className="card padded stack">
      <h2>{text('In progress')}</h2>
      <ul className="plain lines">
        {unfinished.map(({ type, document, state }) => (
          <li key={`${type.uid} ${document.documentId} ${document.locale}`} className="row nowrap between">
            <div className="grow">
              <DocumentLink type={type} document={document} />
              <div className="muted small">
                {[type.name, document.locale && (locales[document.locale] ?? document.locale)]
                  .filter(Boolean)
                  .join(' · ')}{' '}
                · <Time of={document.updatedAt} />
              </div>
            </div>
            <StateBadge state={state} />
          </li>
        ))}
      </ul>
      {unfinished.length === 0 && <p className="muted">{text('All recent drafts are published.')}</p>}
    </section>
  );
}

export function OverviewPage() {
  const model = useModel();
  const types = ownTypes(model);
  const latest = useLatest(types.filter((type) => type.actions.has('find')));
  // A content type with this path keeps it.
  const mayList = model.may('get', CHANGES) && types.every(({ path }) => path !== CHANGES);
  const others = latest.filter(({ type }) => !mayList || !type.actions.has('history'));
  const mayPlan = model.may('get', SCHEDULED);
  const compared = types.filter(mayCompare);
  const unfinished = useUnfinished(compared);
  // What stands above something else comes first, so that nothing moves.
  const isKnown = !useScheduled(undefined, mayPlan).isLoading && unfinished !== undefined;
  return (
    <PageLayout title={text('Overview')}>
      {types.length === 0 && (
        <Suspense fallback={<Loading />}>
          <Welcome />
        </Suspense>
      )}
      {!isKnown && <Loading />}
      {isKnown && (
        <div className="columns">
          <div className="stack">
            {compared.length > 0 && <InProgress unfinished={unfinished} />}
            {mayPlan && (
              <section className="card padded stack">
                <h2>{text('Scheduled')}</h2>
                <ScheduledActions />
              </section>
            )}
            {latest.length > 0 && (
              <section className="card table-frame">
                <h2 className="padded">{text('Content')}</h2>
                <table className="fixed">
                  <thead>
                    <tr>
                      <th>{text('Content type')}</th>
                      <th>{text('Documents')}</th>
                      <th>{text('Last change')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {latest.map((one) => (
                      <TypeLine key={one.type.uid} latest={one} />
                    ))}
                  </tbody>
                </table>
              </section>
            )}
          </div>
          <div className="stack">
            {mayList && <LastChanges />}
            {others.some(({ documents }) => documents.length > 0) && (
              <Changes title={text(mayList ? 'Last changes without a history' : 'Last changes')} latest={others} />
            )}
          </div>
        </div>
      )}
    </PageLayout>
  );
}
