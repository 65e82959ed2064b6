/**
 * @module Publications at a time to come, and those that failed.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Answer, request } from '../api/request.ts';
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Failure } from '../ui/states.tsx';
import { notifyError } from '../ui/toasts.tsx';
import { pathOf } from './latest.ts';

interface Entry {
  readonly id: string;
  /** uid of the content type. */
  readonly type: string;
  /** null for a single type. */
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly action: 'publish' | 'unpublish';
  /** null once it has failed. */
  readonly at: string | null;
  readonly error: string | null;
}

const PATH = '/api/scheduled';

export function Scheduled() {
  const model = useModel();
  const queries = useQueryClient();
  const [ended, setEnded] = useState<Entry | null>(null);
  const { data, error } = useQuery({
    queryKey: [PATH],
    queryFn: async () => (await request<Answer<readonly Entry[]>>(PATH)).body.data,
  });
  const cancel = async ({ id }: Entry) => {
    await request(`${PATH}/${id}`, { method: 'DELETE' }).catch((failure) => notifyError('Not cancelled', failure));
    await queries.invalidateQueries({ queryKey: [PATH] });
  };
  const mayCancel = model.may('delete', `${PATH}/{id}`);
  return (
    <section className="card overview-card">
      <h2>Scheduled</h2>
      {error && <Failure error={error} />}
      {data?.length === 0 && <p className="muted">Nothing is scheduled.</p>}
      <ul className="plain">
        {data?.map((entry) => {
          const type = model.types.get(entry.type);
          return (
            <li key={entry.id}>
              {entry.action}{' '}
              {type && <Link to={pathOf(type, entry.documentId ?? '')}>{entry.documentId ?? type.name}</Link>}{' '}
              <span className="muted">
                {type?.name ?? entry.type} {entry.locale} {entry.at && new Date(entry.at).toLocaleString()}
              </span>{' '}
              {entry.error && <span className="danger">{entry.error}</span>}
              {mayCancel && (
                <Button look="quiet" onClick={() => setEnded(entry)}>
                  Cancel
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {ended && (
        <Confirm
          title="Cancel it?"
          text={`The document stays as it is, and nothing will ${ended.action} it.`}
          action="Cancel it"
          isDangerous
          onConfirm={() => cancel(ended)}
          onClose={() => setEnded(null)}
        />
      )}
    </section>
  );
}
