/**
 * @module All that is scheduled.
 */
import { Link } from 'react-router';
import { type ScheduledEntry, ScheduledLine, useScheduled } from '../document/scheduled.tsx';
import { screenOf } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { Failure } from '../ui/states.tsx';

function Target({ entry: { type: uid, documentId, locale } }: { readonly entry: ScheduledEntry }) {
  const type = useModel().types.get(uid);
  return (
    <>
      {type ? <Link to={screenOf(type, documentId, locale)}>{documentId ?? type.name}</Link> : documentId}{' '}
      <span className="muted">
        {type?.name ?? uid} {locale}
      </span>
    </>
  );
}

export function Scheduled() {
  const { data, error } = useScheduled();
  return (
    <section className="card padded stack">
      <h2>Scheduled</h2>
      {error && <Failure error={error} />}
      {data?.data.length === 0 && <p className="muted">Nothing is scheduled.</p>}
      <ul className="plain">
        {data?.data.map((entry) => (
          <ScheduledLine key={entry.id} entry={entry}>
            <Target entry={entry} />
          </ScheduledLine>
        ))}
      </ul>
    </section>
  );
}
