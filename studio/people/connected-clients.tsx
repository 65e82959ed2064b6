/**
 * @module The clients that act for the user who is signed in, and the end of that.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request, useRead } from '../api/request.ts';
import { useSession } from '../api/session.ts';
import { useModel } from '../shell/model.ts';
import { text, textWith } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/popups.tsx';
import { Result } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import { LEVELS, type Level } from './consent.ts';

const GRANTS = '/api/auth/oauth/grants';

interface Grant {
  readonly id: string;
  readonly host: string;
  /** The client's own word. */
  readonly name: string;
  readonly level: Level;
  /** Uids; null: all content types. */
  readonly types: readonly string[] | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

function Client({ grant, onEnd }: { readonly grant: Grant; readonly onEnd: () => void }) {
  const model = useModel();
  const { host, name, level, types, createdAt, lastUsedAt } = grant;
  const scope = types?.map((uid) => model.types.get(uid)?.plural ?? uid).join(', ') ?? text('All content types');
  return (
    <li className="row nowrap between">
      <span className="grow">
        <strong>{host}</strong> <bdi className="muted">{name}</bdi>
        <div className="small">
          {text(LEVELS[level].name)}: {scope}
        </div>
        <div className="muted small">
          {textWith('Since {since}', { since: <Time of={createdAt} /> })},{' '}
          {lastUsedAt ? textWith('last used {last}', { last: <Time of={lastUsedAt} /> }) : text('never used')}
        </div>
      </span>
      <Button label={text('Disconnect')} aria-label={text('Disconnect {host}', { host })} onClick={onEnd} />
    </li>
  );
}

export function ConnectedClients() {
  const queries = useQueryClient();
  const isUser = useSession()?.isUser === true;
  const isThere = useModel().may('get', GRANTS) && isUser;
  const found = useRead<{ readonly data: readonly Grant[] }>(GRANTS, {}, isThere);
  const [ending, setEnding] = useState<Grant>();
  if (!isThere) return null;
  const end = async ({ id }: Grant) => {
    try {
      await request(`${GRANTS}/${id}`, { method: 'DELETE' });
      notify(text('Disconnected'));
    } catch (error) {
      notifyError(text('The client is still connected'), error);
    }
    await queries.invalidateQueries({ queryKey: [GRANTS] });
  };
  return (
    <section className="card padded stack">
      <h2>{text('Connected clients')}</h2>
      <p className="muted small">{text('Assistants and programs that you have allowed to act for you.')}</p>
      <Result of={found}>
        {({ data }) => (
          <ul className="plain">
            {data.length === 0 && <li className="muted">{text('Nothing is here.')}</li>}
            {data.map((grant) => (
              <Client key={grant.id} grant={grant} onEnd={() => setEnding(grant)} />
            ))}
          </ul>
        )}
      </Result>
      {ending && (
        <Confirm
          title={text('Disconnect {host}?', { host: ending.host })}
          text={text('It has to ask you again before it can do anything here.')}
          action={text('Disconnect')}
          isDangerous
          onConfirm={() => end(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  );
}
