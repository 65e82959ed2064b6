/**
 * @module Publications at a time to come, and those that failed.
 */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Answer, request } from '../api/request.ts';
import { useRead } from '../api/use-read.ts';
import type { ScheduledEntry } from '../document/schedule.tsx';
import { screenOf } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { IconButton } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { timeText } from '../ui/time-text.ts';
import { notifyError } from '../ui/toasts.tsx';

const PATH = '/api/scheduled';

function EntryLine({
  entry: { id, type: uid, documentId, locale, action, at, error },
}: {
  readonly entry: ScheduledEntry;
}) {
  const model = useModel();
  const queries = useQueryClient();
  const type = model.types.get(uid);
  const cancel = async () => {
    await request(`${PATH}/${id}`, { method: 'DELETE' }).catch((failure) => notifyError('Not cancelled', failure));
    await queries.invalidateQueries({ queryKey: [PATH] });
  };
  return (
    <li>
      {action} {type ? <Link to={screenOf(type, documentId, locale)}>{documentId ?? type.name}</Link> : documentId}{' '}
      <span className="muted">
        {type?.name ?? uid} {locale} {timeText(at)}
      </span>{' '}
      {error && <span className="danger">{error}</span>}
      {model.may('delete', `${PATH}/{id}`) && <IconButton icon="close" label="Cancel this" onClick={cancel} />}
    </li>
  );
}

export function Scheduled() {
  const { data, error } = useRead<Answer<readonly ScheduledEntry[]>>(PATH);
  return (
    <section className="card padded stack">
      <h2>Scheduled</h2>
      {error && <Failure error={error} />}
      {data?.data.length === 0 && <p className="muted">Nothing is scheduled.</p>}
      <ul className="plain">
        {data?.data.map((entry) => (
          <EntryLine key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
}
