/**
 * @module The first screen: what there is, what changed, what is scheduled, and who may do what.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../api/request.ts';
import { ownTypes, titleOf } from '../model/model.ts';
import { mayDo } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Page } from '../shell/page.tsx';
import { type Latest, merged, pathOf, useLatest } from './latest.ts';
import { Roles } from './roles.tsx';
import { Scheduled } from './scheduled.tsx';
import { Welcome } from './welcome.tsx';

const timeText = (time: unknown): string => (time ? new Date(String(time)).toLocaleString() : '');

function TypeLine({ latest: { type, total, documents, error } }: { readonly latest: Latest }) {
  const isEmpty = total === 0 && mayDo(useModel(), type, type.kind === 'singleType' ? 'update' : 'create');
  return (
    <tr>
      <td>
        <Link to={`/content/${type.segment}`}>{type.name}</Link>
      </td>
      <td>
        {error ? <span className="danger">{error.message}</span> : (total?.toLocaleString() ?? '…')}
        {isEmpty && (
          <>
            {' '}
            <Link to={pathOf(type, 'new')}>Make the first document</Link>
          </>
        )}
      </td>
      <td className="muted">{timeText(documents[0]?.updatedAt)}</td>
    </tr>
  );
}

const Changes = ({ latest }: { readonly latest: readonly Latest[] }) => (
  <section className="card overview-card">
    <h2>Last changes</h2>
    <ul className="plain">
      {merged(latest).map(({ type, document }) => (
        <li key={`${type.uid} ${document.documentId}`}>
          <Link to={pathOf(type, document.documentId)}>{titleOf(type, document)}</Link>{' '}
          <span className="muted">
            {type.name} {timeText(document.updatedAt)}
          </span>
        </li>
      ))}
    </ul>
  </section>
);

function UserCount() {
  const path = '/api/users/count';
  const { data } = useQuery({ queryKey: [path], queryFn: async () => (await request<number>(path)).body });
  return <span className="badge">{data === 1 ? '1 user' : `${data?.toLocaleString() ?? '…'} users`}</span>;
}

export function OverviewPage() {
  const model = useModel();
  const types = ownTypes(model);
  const latest = useLatest(types.filter((type) => mayDo(model, type, 'find')));
  return (
    <Page title="Overview" aside={model.may('get', '/api/users/count') && <UserCount />}>
      {types.length === 0 && <Welcome />}
      <div className="overview">
        {latest.length > 0 && (
          <section className="table-frame">
            <table>
              <thead>
                <tr>
                  <th>Content type</th>
                  <th>Documents</th>
                  <th>Last change</th>
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
        {latest.some(({ documents }) => documents.length > 0) && <Changes latest={latest} />}
        {model.may('get', '/api/scheduled') && <Scheduled />}
        {model.may('get', '/api/users-permissions/roles') && <Roles />}
      </div>
    </Page>
  );
}
