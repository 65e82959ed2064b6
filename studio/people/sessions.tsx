/**
 * @module The sessions of a user, and their end.
 */
import { useQueryClient } from '@tanstack/react-query';
import { request, useRead } from '../api/request.ts';
import { personCheck, setSession } from '../api/session.ts';
import { text, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Result } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notifyError } from '../ui/toasts.tsx';

interface UserSession {
  readonly id: string;
  readonly deviceName?: string;
  readonly current: boolean;
  readonly loginAt: string;
  readonly lastActiveAt: string;
}

interface SessionsProps {
  /** Of the list. A session is below it. */
  readonly path: string;
  readonly mayEnd: boolean;
}

export function Sessions({ path, mayEnd }: SessionsProps) {
  const queries = useQueryClient();
  const found = useRead<{ readonly data: readonly UserSession[] }>(path);
  const end = async (sessions: readonly UserSession[]) => {
    const isSamePerson = personCheck();
    try {
      for (const { id } of sessions) if (isSamePerson()) await request(`${path}/${id}`, { method: 'DELETE' });
      if (isSamePerson() && sessions.some(({ current }) => current)) setSession(null);
    } catch (error) {
      notifyError(text('The session has not ended'), error);
    }
    await queries.invalidateQueries({ queryKey: [path] });
  };
  const others = (found.data?.data ?? []).filter(({ current }) => !current);
  return (
    <section className="stack">
      <h2>{text('Sessions')}</h2>
      <Result of={found}>
        {({ data }) => (
          <ul className="plain">
            {data.length === 0 && <li className="muted">{text('Nothing is here.')}</li>}
            {data.map((session) => (
              <li key={session.id} className="row nowrap between">
                <span className="grow">
                  {session.deviceName ?? text('Unknown device')}{' '}
                  {session.current && <span className="badge good">{text('this one')}</span>}{' '}
                  <div className="muted small">
                    {textWith('Signed in {since}, active {last}', {
                      since: <Time of={session.loginAt} />,
                      last: <Time of={session.lastActiveAt} />,
                    })}
                  </div>
                </span>
                {mayEnd && <Button label={text('End')} onClick={() => end([session])} />}
              </li>
            ))}
          </ul>
        )}
      </Result>
      {mayEnd && others.length > 1 && (
        <div className="row">
          <Button label={text('End all others')} onClick={() => end(others)} />
        </div>
      )}
    </section>
  );
}
