/**
 * @module Roles, and what each may do with each content type.
 */
import { useState } from 'react';
import { useRead } from '../api/request.ts';
import { useModel } from '../shell/model.ts';
import { text, textWith } from '../texts/text.ts';
import { Result } from '../ui/states.tsx';

type By<T> = Readonly<Record<string, T>>;

interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly nb_users: number;
  /** By plugin or type, by controller, by action. */
  readonly permissions: By<{ readonly controllers: By<By<{ readonly enabled: boolean }>> }>;
}

const PATH = '/api/users-permissions/roles';

/** Returns the actions of each content type, and of each controller of a plugin. */
const grantsOf = ({ permissions }: Role) =>
  Object.entries(permissions).flatMap(([scope, { controllers }]) =>
    Object.entries(controllers).map(([name, actions]) => ({ uid: `${scope}.${name}`, actions })),
  );

function Grants({ role }: { readonly role: Role }) {
  const { types } = useModel();
  const grants = grantsOf(role);
  const rows = grants.filter(({ uid }) => uid.startsWith('api::'));
  const columns = [...new Set(rows.flatMap(({ actions }) => Object.keys(actions)))];
  const others = grants
    .filter((grant) => !rows.includes(grant))
    .flatMap(({ uid, actions }) => Object.keys(actions).map((name) => actions[name]?.enabled && `${uid}.${name}`));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="card table-frame" tabIndex={0} aria-label={text('What {role} may do', { role: role.name })}>
        <table>
          <thead>
            <tr>
              <th>{text('Content type')}</th>
              {columns.map((action) => (
                <th key={action}>{action}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ uid, actions }) => (
              <tr key={uid}>
                <th scope="row">{types.get(uid)?.name ?? uid}</th>
                {columns.map((action) => (
                  <td key={action}>
                    {actions[action]?.enabled ? (
                      <span className="badge good">{text('yes')}</span>
                    ) : (
                      actions[action] && text('no')
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="muted">
        {textWith('A “yes” may have conditions, which are in {file}. Also granted: {actions}', {
          file: <code>edgewise.config.ts</code>,
          actions: others.filter(Boolean).join(', ') || text('nothing'),
        })}
      </p>
    </>
  );
}

function Matrix({ id }: { readonly id: number }) {
  const found = useRead<{ readonly role: Role }>(`${PATH}/${id}`);
  return <Result of={found}>{({ role }) => <Grants role={role} />}</Result>;
}

function RoleLine({ role: { id, name, description, nb_users } }: { readonly role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const mayOpen = useModel().may('get', `${PATH}/{id}`);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{name}</strong>{' '}
        <span className="badge">{text('{count} user | {count} users', { count: nb_users })}</span>{' '}
        <span className="muted">{description}</span>
      </summary>
      {isOpen && mayOpen && <Matrix id={id} />}
    </details>
  );
}

export function Roles() {
  const found = useRead<{ readonly roles: readonly Role[] }>(PATH);
  return (
    <section className="card padded stack wide">
      <h2>{text('Roles')}</h2>
      <Result of={found}>{({ roles }) => roles.map((role) => <RoleLine key={role.id} role={role} />)}</Result>
    </section>
  );
}
