/**
 * @module Roles, and what each may do with each content type.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../api/request.ts';
import { useModel } from '../shell/model-context.ts';
import { Failure, Loading } from '../ui/states.tsx';

interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly nb_users: number;
}

/** By plugin or type, by controller, by action. */
type Permissions = Readonly<
  Record<
    string,
    { readonly controllers: Readonly<Record<string, Readonly<Record<string, { readonly enabled: boolean }>>>> }
  >
>;

const PATH = '/api/users-permissions/roles';

/** Returns the uid of each content type, and of each controller of a plugin, with its actions: whether they are granted. */
export const grantsOf = (permissions: Permissions): readonly (readonly [string, ReadonlyMap<string, boolean>])[] =>
  Object.entries(permissions).flatMap(([scope, { controllers }]) =>
    Object.entries(controllers).map(([name, actions]): [string, ReadonlyMap<string, boolean>] => [
      `${scope}.${name}`,
      new Map(Object.entries(actions).map(([action, { enabled }]) => [action, enabled])),
    ]),
  );

function Matrix({ id }: { readonly id: number }) {
  const { types } = useModel();
  const path = `${PATH}/${id}`;
  const { data, error } = useQuery({
    queryKey: [PATH, id],
    queryFn: async () => grantsOf((await request<{ role: { permissions: Permissions } }>(path)).body.role.permissions),
  });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const own = data.filter(([uid]) => uid.startsWith('api::'));
  const columns = [...new Set(own.flatMap(([, actions]) => [...actions.keys()]))];
  const others = data.filter(([uid]) => !uid.startsWith('api::'));
  const granted = others.flatMap(([uid, actions]) =>
    [...actions].filter(([, is]) => is).map(([name]) => `${uid}.${name}`),
  );
  return (
    <>
      <div className="table-frame">
        <table>
          <thead>
            <tr>
              <th>Content type</th>
              {columns.map((action) => (
                <th key={action}>{action}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {own.map(([uid, actions]) => (
              <tr key={uid}>
                <td title={uid}>{types.get(uid)?.name ?? uid}</td>
                {columns.map((action) => (
                  <td key={action}>
                    {actions.get(action) ? <span className="badge good">yes</span> : actions.has(action) && 'no'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted">“Yes” may have conditions: see the role in edgewise.config.ts.</p>
      <p>
        Also: <code>{granted.join(', ') || 'nothing'}</code>
      </p>
    </>
  );
}

function RoleLine({ role }: { readonly role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const mayOpen = useModel().may('get', `${PATH}/{id}`);
  return (
    <details className="stack" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{role.name}</strong> <span className="badge">{role.nb_users} users</span>{' '}
        <span className="muted">{role.description}</span>
      </summary>
      {isOpen && mayOpen && <Matrix id={role.id} />}
    </details>
  );
}

export function Roles() {
  const { data, error } = useQuery({
    queryKey: [PATH],
    queryFn: async () => (await request<{ readonly roles: readonly Role[] }>(PATH)).body.roles,
  });
  return (
    <section className="card overview-card wide">
      <h2>Roles</h2>
      {error && <Failure error={error} />}
      {data?.map((role) => (
        <RoleLine key={role.id} role={role} />
      ))}
    </section>
  );
}
