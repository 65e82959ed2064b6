/**
 * @module The first screen: what there is, what changed, and what is scheduled.
 */
import { useQueries } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, request, useRead } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { newScreenOf } from '../document/kept-changes.ts';
import { SCHEDULED, ScheduledActions, useScheduled } from '../document/scheduled.tsx';
import { type ContentType, type Document, editedStatus, ownTypes } from '../model/model.ts';
import { DocumentLink } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { numberText, text } from '../texts/text.ts';
import { Loading } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { CHANGES, LastChanges } from './last-changes.tsx';

/** Callers who see content never load it. */
const Welcome = lazy(async () => ({ default: (await import('./welcome.tsx')).Welcome }));

const inTurn = pLimit(6);

function queryOf(type: ContentType): Query {
  const fields = [type.titleAttribute, 'updatedAt'].filter((name) => type.shown.has(name));
  const sort = type.shown.has('updatedAt') ? 'updatedAt:desc' : null;
  const list = type.kind === 'collectionType' && { sort, pagination: { pageSize: 3 } };
  return { ...(type.hasDrafts && { status: editedStatus(type) }), fields, ...list };
}

async function read(type: ContentType, query: Query) {
  try {
    const { data, meta } = (await request<ResponseBody<Document | Document[] | null>>(type.path, { query })).body;
    const documents = [data ?? []].flat();
    return { documents, total: meta.pagination?.total ?? documents.length };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { documents: [], total: 0 };
    throw error;
  }
}

/** Reads the types, at most six at the same time. */
const useLatest = (types: readonly ContentType[]) =>
  useQueries({
    queries: types.map((type) => {
      const query = queryOf(type);
      return { queryKey: [type.path, 'latest', query], queryFn: () => inTurn(() => read(type, query)) };
    }),
  }).map(({ data, error }, index) => ({
    type: types[index] as ContentType,
    documents: data?.documents ?? [],
    total: data?.total,
    error,
  }));

type Latest = ReturnType<typeof useLatest>[number];

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
        <Link to={`/content/${type.segment}`}>{type.name}</Link>
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

function UserCount() {
  const { data } = useRead<number>('/api/users/count');
  return (
    <span className="badge">
      {data === undefined ? text('… users') : text('{count} user | {count} users', { count: data })}
    </span>
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
  // What stands above something else comes first, so that nothing moves.
  const isPlanKnown = !useScheduled(undefined, mayPlan).isLoading;
  return (
    <PageLayout title={text('Overview')} aside={model.may('get', '/api/users/count') && <UserCount />}>
      <div className="columns">
        {types.length === 0 && (
          <Suspense fallback={<Loading />}>
            <Welcome />
          </Suspense>
        )}
        <div className="stack">
          {latest.length > 0 && (
            <section className="card table-frame">
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
          {mayPlan && isPlanKnown && (
            <section className="card padded stack">
              <h2>{text('Scheduled')}</h2>
              <ScheduledActions />
            </section>
          )}
        </div>
        {isPlanKnown && (
          <div className="stack">
            {mayList && <LastChanges />}
            {others.some(({ documents }) => documents.length > 0) && (
              <Changes title={text(mayList ? 'Last changes without a history' : 'Last changes')} latest={others} />
            )}
          </div>
        )}
      </div>
    </PageLayout>
  );
}
