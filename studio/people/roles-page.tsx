/**
 * @module Roles: what each may do with each content type, and the line of the settings that says so.
 */
import { useState } from 'react';
import { useRead } from '../api/request.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { Select } from '../ui/inputs.tsx';
import { Result } from '../ui/states.tsx';
import { type ConditionalGrant, limitsOf } from './grant-text.ts';
import { ROLES, type Role, useRoles } from './person.ts';

type By<T> = Readonly<Record<string, T>>;

interface DetailedRole extends Omit<Role, 'nb_users'> {
  /** By plugin or type, by controller, by action. */
  readonly permissions: By<{ readonly controllers: By<By<{ readonly enabled: boolean }>> }>;
  readonly conditions?: readonly ConditionalGrant[];
}

/** Returns the actions of each content type, and of each controller of a plugin. */
const grantsOf = ({ permissions }: DetailedRole) =>
  Object.entries(permissions).flatMap(([scope, { controllers }]) =>
    Object.entries(controllers).map(([name, actions]) => ({ uid: `${scope}.${name}`, actions })),
  );

/** The line to change. A role that may do nothing more has a pattern or a default grant removed. */
function SettingsLine({
  role,
  id,
  isGranted,
}: {
  readonly role: DetailedRole;
  readonly id: string;
  readonly isGranted: boolean;
}) {
  return (
    <section className="card padded stack" role="status">
      <p>
        {isGranted
          ? text('To take it away, remove this from edgewise.config.ts, or a pattern that means it, and deploy:')
          : text('To grant it, add this to edgewise.config.ts, and deploy:')}
      </p>
      <pre className="verbatim">{`roles: { ${JSON.stringify(role.type)}: ['${id}'] }`}</pre>
    </section>
  );
}

function Matrix({ role }: { readonly role: DetailedRole }) {
  const { types } = useModel();
  const [chosen, setChosen] = useState<{ readonly id: string; readonly isGranted: boolean } | null>(null);
  const grants = grantsOf(role);
  const rows = grants.filter(({ uid }) => uid.startsWith('api::'));
  const columns = [...new Set(rows.flatMap(({ actions }) => Object.keys(actions)))];
  const conditions = role.conditions ?? [];
  const nameOf = (uid: string) => types.get(uid)?.name ?? uid;
  const stateOf = (id: string, isGranted: boolean) => {
    if (!isGranted) return text('no');
    return conditions.some(({ action }) => action.includes(id)) ? text('limited') : text('yes');
  };
  const others = grants
    .filter((grant) => !rows.includes(grant))
    .flatMap(({ uid, actions }) => Object.keys(actions).map((name) => actions[name]?.enabled && `${uid}.${name}`));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="card table-frame" tabIndex={0} aria-label={text('What {name} may do', { name: role.name })}>
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
                <th scope="row">{nameOf(uid)}</th>
                {columns.map((action) => {
                  const isGranted = actions[action]?.enabled === true;
                  const id = `${uid}.${action}`;
                  const state = stateOf(id, isGranted);
                  return (
                    <td key={action}>
                      {actions[action] && (
                        <button
                          type="button"
                          className={`badge ${isGranted ? 'good' : ''}`}
                          aria-label={`${nameOf(uid)}, ${action}: ${state}`}
                          aria-pressed={chosen?.id === id}
                          onClick={() => setChosen({ id, isGranted })}
                        >
                          {state}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {chosen && <SettingsLine role={role} {...chosen} />}
      {conditions.length > 0 && (
        <section className="card padded stack">
          <h2>{text('Limited')}</h2>
          <dl className="plain">
            {conditions.map((grant) => (
              <div key={JSON.stringify(grant)}>
                <dt className="mono">{grant.action.join(', ')}</dt>
                <dd>{limitsOf(grant).join(' ')}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <p className="muted">
        {text('Also granted: {actions}', { actions: others.filter(Boolean).join(', ') || text('nothing') })}
      </p>
    </>
  );
}

function RoleDetails({ id }: { readonly id: number }) {
  const found = useRead<{ readonly role: DetailedRole }>(`${ROLES}/${id}`);
  return <Result of={found}>{({ role }) => <Matrix key={role.id} role={role} />}</Result>;
}

export function RolesPage() {
  const model = useModel();
  const roles = useRoles();
  const [chosen, setChosen] = useState('');
  const shown = roles.find(({ id }) => String(id) === chosen) ?? roles[0];
  const names = Object.fromEntries(roles.map((role) => [role.id, role.name]));
  return (
    <PageLayout title={text('Roles')}>
      <p className="muted">{text('Roles are settings of the project. A deployment changes them.')}</p>
      <div className="row">
        <Select label={text('Role')} value={String(shown?.id)} options={names} onChange={setChosen} />
      </div>
      {shown && (
        <p className="muted">
          {text('{count} user | {count} users', { count: shown.nb_users })}. {shown.description}
        </p>
      )}
      {shown && model.may('get', `${ROLES}/{id}`) && <RoleDetails id={shown.id} />}
    </PageLayout>
  );
}
