/**
 * @module The list of users.
 */
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../api/request.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { OPENED, usePanelClose } from '../shell/panel.ts';
import { text } from '../texts/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { DelayedInput } from '../ui/inputs.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { addStyles } from '../ui/styles.ts';
import { Time } from '../ui/time.tsx';
import { NewPerson } from './new-person.tsx';
import styles from './people.css' with { type: 'text' };
import { type Person, ROLES, USERS } from './person.ts';
import { PersonPanel } from './person-panel.tsx';

addStyles(styles);

const PAGE_SIZE = 25;

function PersonState({ blocked, confirmed }: Person) {
  if (blocked) return <span className="badge bad">{text('Blocked')}</span>;
  if (!confirmed) return <span className="badge warn">{text('Not confirmed')}</span>;
  return <span className="badge good">{text('Active')}</span>;
}

interface PeopleProps {
  readonly people: readonly Person[];
  /** Returns the address of the panel of a user. */
  readonly panelOf: (person: Person) => string;
  /** Missing where all are shown. */
  readonly onClear: (() => void) | undefined;
}

function People({ people, panelOf, onClear }: PeopleProps) {
  const seesRoles = useModel().may('get', ROLES);
  const columns = ['User', ...(seesRoles ? (['Role'] as const) : []), 'Status', 'Added'] as const;
  if (people.length === 0)
    return (
      <Empty title={text('No user is found')}>
        {onClear && <Button label={text('Show all users')} onClick={onClear} />}
      </Empty>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="card table-frame" tabIndex={0} aria-label={text('Users')}>
      <table className="people">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{text(column)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <td>
                <span className="row nowrap">
                  <Avatar name={person.username} />
                  <span className="grow">
                    <Link to={panelOf(person)} state={OPENED}>
                      {person.username}
                    </Link>
                    <span className="muted small ellipsis">{person.email}</span>
                  </span>
                </span>
              </td>
              {seesRoles && <td>{person.role?.name}</td>}
              <td>
                <PersonState {...person} />
              </td>
              <td className="muted">
                <Time of={person.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function PeoplePage() {
  const model = useModel();
  const [search, setSearch] = useSearchParams();
  const [making, setMaking] = useState<'invite' | 'create' | null>(null);
  const { q = '', page = '', person = '' } = Object.fromEntries(search);
  const number = Math.max(Number.parseInt(page, 10) || 1, 1);
  const all = { _q: q || null };
  // One more than is shown says whether there is another page.
  const window = { start: (number - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 };
  const found = useRead<readonly Person[]>(USERS, { ...all, populate: 'role', sort: 'username', ...window });
  const count = useRead<number>(`${USERS}/count`, all, model.may('get', `${USERS}/count`)).data;
  const queryOf = (changes: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries({ q, page, ...changes }).filter(([, value]) => value !== ''));
  const closePerson = usePanelClose(() => setSearch(queryOf({}), { replace: true }));
  const turn = (by: number) => setSearch(queryOf({ page: String(number + by) }));
  return (
    <PageLayout
      title={text('Users')}
      aside={count !== undefined && <span className="badge">{text('{count} user | {count} users', { count })}</span>}
      actions={
        <>
          {model.may('post', USERS) && <Button label={text('New user')} onClick={() => setMaking('create')} />}
          {model.may('post', `${USERS}/invite`) && (
            <Button label={text('Invite')} icon="add" look="primary" onClick={() => setMaking('invite')} />
          )}
        </>
      }
    >
      <search className="row">
        <DelayedInput
          type="search"
          label={text('Search users')}
          value={q}
          onCommit={(value) => setSearch(queryOf({ q: value, page: '' }), { replace: true })}
        />
      </search>
      <Result of={found}>
        {(people) => (
          <>
            <People
              people={people.slice(0, PAGE_SIZE)}
              onClear={q || page ? () => setSearch({}) : undefined}
              panelOf={({ id }) => `?${new URLSearchParams(queryOf({ person: String(id) }))}`}
            />
            {(number > 1 || people.length > PAGE_SIZE) && (
              <nav className="row" aria-label={text('Pages')}>
                <Button label={text('Previous')} disabled={number <= 1} onClick={() => turn(-1)} />
                <span className="muted" role="status">
                  {text('Page {page}', { page: number })}
                </span>
                <Button label={text('Next')} disabled={people.length <= PAGE_SIZE} onClick={() => turn(1)} />
              </nav>
            )}
          </>
        )}
      </Result>
      {making && <NewPerson isInvited={making === 'invite'} onClose={() => setMaking(null)} />}
      {person && <PersonPanel key={person} id={person} onClose={closePerson} />}
    </PageLayout>
  );
}
