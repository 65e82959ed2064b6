/**
 * @module The first screen: what there is, what changed, what is scheduled, and who may do what.
 */
import { Link } from 'react-router';
import { useRead } from '../api/use-read.ts';
import { ownTypes, screenOf, titleOf } from '../model/model.ts';
import { mayDo } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Page } from '../shell/page.tsx';
import { timeText } from '../ui/time-text.ts';
import { type Latest, merged, useLatest } from './latest.ts';
import { Roles } from './roles.tsx';
import { Scheduled } from './scheduled.tsx';
import { Welcome } from './welcome.tsx';

function TypeLine({ latest: { type, total, documents, error } }: { readonly latest: Latest }) {
  const mayMake = mayDo(useModel(), type, type.kind === 'singleType' ? 'update' : 'create');
  return (
    <tr>
      <td>
        <Link to={`/content/${type.segment}`}>{type.name}</Link>
      </td>
      <td>{error ? <span className="danger">{error.message}</span> : (total?.toLocaleString() ?? '…')}</td>
      <td className="muted">
        {total === 0 && mayMake && <Link to={screenOf(type, 'new')}>Make the first document</Link>}
        {timeText(documents[0]?.updatedAt)}
      </td>
    </tr>
  );
}

function Changes({ latest }: { readonly latest: readonly Latest[] }) {
  return (
    <section className="card padded stack">
      <h2>Last changes</h2>
      <ul className="plain">
        {merged(latest).map(({ type, document }) => (
          <li key={`${type.uid} ${document.documentId}`}>
            <Link to={screenOf(type, document.documentId)}>{titleOf(type, document)}</Link>{' '}
            <span className="muted">
              {type.name} · {timeText(document.updatedAt)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function UserCount() {
  const { data } = useRead<number>('/api/users/count');
  return <span className="badge">{data === 1 ? '1 user' : `${data?.toLocaleString() ?? '…'} users`}</span>;
}

export function OverviewPage() {
  const model = useModel();
  const types = ownTypes(model);
  const latest = useLatest(types.filter((type) => mayDo(model, type, 'find')));
  return (
    <Page title="Overview" aside={model.may('get', '/api/users/count') && <UserCount />}>
      <div className="overview">
        {types.length === 0 && <Welcome />}
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
        <div className="stack">
          {latest.some(({ documents }) => documents.length > 0) && <Changes latest={latest} />}
          {model.may('get', '/api/scheduled') && <Scheduled />}
        </div>
        {model.may('get', '/api/users-permissions/roles') && <Roles />}
      </div>
    </Page>
  );
}
