/**
 * @module Roles: what each may do with each content type, in words and marks. What a row names leads to its actions.
 */
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../api/request.ts';
import { labelOf } from '../model/attribute.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { OPENED, usePanelClose } from '../shell/panel.ts';
import { numberText, text } from '../texts/text.ts';
import { Select } from '../ui/inputs.tsx';
import { Result } from '../ui/states.tsx';
import { addStyles } from '../ui/styles.ts';
import styles from './people.css' with { type: 'text' };
import { ROLES, useRoles } from './person.ts';
import { Mark, RolePanel } from './role-panel.tsx';
import {
  countOf,
  type DetailedRole,
  EXTENTS,
  extentIn,
  KINDS,
  SCOPE_NAMES,
  type Scope,
  scopesOf,
  wordsOf,
} from './role-words.ts';

addStyles(styles);

interface TableProps {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly nameOf: (uid: string) => string;
  readonly panelOf: (uid: string) => string;
}

function ContentTable({ label, scopes, nameOf, panelOf }: TableProps) {
  return (
    <section className="card" aria-label={label}>
      <table className="roles">
        <thead>
          <tr>
            <th>{text('Content type')}</th>
            {KINDS.map(([kind]) => (
              <th key={kind}>{text(kind)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scopes.map((scope) => (
            <tr key={scope.uid}>
              <th scope="row">
                <Link to={panelOf(scope.uid)} state={OPENED}>
                  {nameOf(scope.uid)}
                </Link>
                <div className="muted words">{wordsOf(scope)}</div>
              </th>
              {KINDS.map(([kind, names]) => {
                const extent = extentIn(scope, names);
                return <td key={kind}>{extent && <Mark extent={extent} />}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const OtherTable = ({ label, scopes, nameOf, panelOf }: TableProps) => (
  <section className="card" aria-label={label}>
    <table>
      <tbody>
        {scopes.map((scope) => (
          <tr key={scope.uid}>
            <th scope="row">
              <Link to={panelOf(scope.uid)} state={OPENED}>
                {nameOf(scope.uid)}
              </Link>
            </th>
            <td className="muted">{countOf(scope)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

function Details({ role }: { readonly role: DetailedRole }) {
  const { types } = useModel();
  const [search, setSearch] = useSearchParams();
  const scopes = scopesOf(role);
  const nameOf = (uid: string) => {
    const known = SCOPE_NAMES[uid];
    return known ? text(known) : (types.get(uid)?.name ?? labelOf(uid.split('.').at(-1) ?? uid));
  };
  const byName = scopes.toSorted((a, b) => nameOf(a.uid).localeCompare(nameOf(b.uid)));
  const content = byName.filter(({ uid }) => uid.startsWith('api::'));
  const shared = { nameOf, panelOf: (uid: string) => `?${new URLSearchParams({ role: role.type, of: uid })}` };
  const close = usePanelClose(() => setSearch({ role: role.type }, { replace: true }));
  const opened = scopes.find(({ uid }) => uid === search.get('of'));
  return (
    <>
      <Legend />
      <ContentTable label={text('What {name} may do', { name: role.name })} scopes={content} {...shared} />
      <h2>{text('Beyond content')}</h2>
      <OtherTable
        label={text('Beyond content')}
        scopes={byName.filter((scope) => !content.includes(scope))}
        {...shared}
      />
      {opened && (
        <RolePanel role={role.type} roleName={role.name} scope={opened} name={nameOf(opened.uid)} onClose={close} />
      )}
    </>
  );
}

function RoleDetails({ id }: { readonly id: number }) {
  const found = useRead<{ readonly role: DetailedRole }>(`${ROLES}/${id}`);
  return <Result of={found}>{({ role }) => <Details key={role.id} role={role} />}</Result>;
}

/** What the marks of the table mean. */
const Legend = () => (
  <p className="row muted small">
    {(['yes', 'drafts', 'limited', 'no'] as const).map((extent) => (
      <span key={extent} className="row">
        <Mark extent={extent} isExplained /> {text(EXTENTS[extent])}
      </span>
    ))}
  </p>
);

export function RolesPage() {
  const model = useModel();
  const [search, setSearch] = useSearchParams();
  const roles = useRoles();
  const shown = roles.find(({ type }) => type === search.get('role')) ?? roles[0];
  return (
    <PageLayout title={text('Roles')}>
      <p className="muted">{text('Roles are settings of the project. A deployment changes them.')}</p>
      <div className="beside-content">
        <nav className="role-list" aria-label={text('Roles')}>
          {roles.map(({ id, type, name, nb_users: users }) => (
            <Link
              key={id}
              to={`?${new URLSearchParams({ role: type })}`}
              className={`row nowrap between nav-entry ${id === shown?.id ? 'active' : ''}`}
              {...(id === shown?.id && { 'aria-current': 'page' as const })}
            >
              <span className="ellipsis">{name}</span>
              {users > 0 && <span className="badge">{numberText(users)}</span>}
            </Link>
          ))}
        </nav>
        <div className="role-choice">
          <Select
            label={text('Role')}
            value={shown?.type}
            options={Object.fromEntries(roles.map(({ type, name }) => [type, name]))}
            onChange={(role) => setSearch({ role })}
          />
        </div>
        {shown && (
          <div className="stack content">
            <h2>{shown.name}</h2>
            <p className="muted">
              {[text('{count} user | {count} users', { count: shown.nb_users }), shown.description]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {model.may('get', `${ROLES}/{id}`) && <RoleDetails id={shown.id} />}
          </div>
        )}
      </div>
    </PageLayout>
  );
}
