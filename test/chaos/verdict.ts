/**
 * @module What the database says afterwards: each batch is there as a whole or not at all, and each schedule was carried out
 * once.
 */
import type { Chaos } from './clients.ts';

export interface Audit {
  readonly event: 'publish' | 'unpublish' | 'remove' | 'schedule' | 'done' | 'failed' | 'note';
  readonly subject: string;
  readonly detail: string;
}

export interface Verdict {
  readonly complaints: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

function batchComplaints({ batches }: Chaos, audit: readonly Audit[]): readonly string[] {
  const found = new Map<string, number>();
  for (const { event, subject } of audit) if (event === 'note') found.set(subject, (found.get(subject) ?? 0) + 1);
  return [...batches].flatMap(([name, { notes, status }]) => {
    const count = found.get(name) ?? 0;
    const expected = status === undefined ? [0, notes] : [status === 200 ? notes : 0];
    return expected.includes(count)
      ? []
      : [`${name}: ${count} of ${notes} notes were written, its status was ${status}`];
  });
}

/** The rows of one transaction are adjacent: those of the document come before that of the entry. */
function scheduleVerdict({ scheduled, cancelled }: Chaos, audit: readonly Audit[]): Verdict {
  const complaints: string[] = [];
  const figures = { published: 0, unpublished: 0, withoutEffect: 0, cancelled: 0, replaced: 0, failed: 0 };
  /** By document, locale and action. */
  const open = new Map<string, string>();
  const details = new Map<string, string>();
  const ended = new Map<string, string>();
  const removed = new Set<string>();
  const live = new Set<string>();
  let effects: Audit[] = [];
  const end = (entry: string, how: keyof typeof figures): void => {
    const earlier = ended.get(entry);
    if (earlier !== undefined) complaints.push(`${entry} was ${how} after it was ${earlier}`);
    ended.set(entry, how);
    figures[how] += 1;
  };
  // The delete of a document removes its published versions, too, before or after the draft.
  const isRemoved = ({ event, subject }: Audit) => event === 'unpublish' && removed.has(subject.split('/')[0] ?? '');
  const finish = ({ subject: entry, detail }: Audit): void => {
    const [documentId, locale, action] = detail.split('/');
    const document = `${documentId}/${locale}`;
    effects = effects.filter((effect) => !isRemoved(effect));
    // To publish a published document replaces its row.
    const own = effects.filter(({ event, subject }) => event === action && subject === document);
    const isForeign = ({ event, subject }: Audit) => subject !== document || (event !== action && action !== 'publish');
    if (own.length > 1 || effects.some(isForeign))
      complaints.push(`${entry} (${detail}) came after ${JSON.stringify(effects)}`);
    const isIdle = own.length === 0 && !cancelled.has(entry);
    if (isIdle && (action === 'publish' || live.has(document))) complaints.push(`${entry} (${detail}) had no effect`);
    if (own.length === 0) end(entry, isIdle ? 'withoutEffect' : 'cancelled');
    else end(entry, action === 'publish' ? 'published' : 'unpublished');
  };
  for (const row of audit) {
    const { event, subject, detail } = row;
    if (event === 'publish') live.add(subject);
    if (event === 'unpublish') live.delete(subject);
    if (event === 'publish' || event === 'unpublish') effects.push(row);
    else if (event === 'remove') {
      removed.add(subject);
    } else if (event === 'schedule') {
      const earlier = open.get(detail);
      if (earlier !== undefined && !ended.has(earlier)) end(earlier, 'replaced');
      open.set(detail, subject);
      details.set(subject, detail);
    } else if (event === 'failed') {
      if (!removed.has(details.get(subject)?.split('/')[0] ?? '')) complaints.push(`${subject} failed: ${detail}`);
      end(subject, 'failed');
    } else if (event === 'done') {
      // A client cancels what has failed as well.
      if (ended.get(subject) !== 'failed') finish(row);
      effects = [];
    }
  }
  for (const effect of effects.filter((each) => !isRemoved(each)))
    complaints.push(`without a schedule: ${JSON.stringify(effect)}`);
  for (const entry of [...scheduled, ...details.keys()])
    if (!ended.has(entry)) complaints.push(`${entry} (${details.get(entry)}) was not carried out`);
  return { complaints, figures };
}

export function verdictOf(chaos: Chaos, audit: readonly Audit[]): Verdict {
  const { complaints, figures } = scheduleVerdict(chaos, audit);
  const batches = [...chaos.batches.values()];
  const withStatus = (status: number | undefined) => batches.filter((each) => each.status === status).length;
  return {
    complaints: [...chaos.complaints, ...batchComplaints(chaos, audit), ...complaints],
    figures: {
      batches: batches.length,
      committedBatches: withStatus(200),
      unknownBatches: withStatus(undefined),
      schedules: audit.filter(({ event }) => event === 'schedule').length,
      ...figures,
      ...Object.fromEntries([...chaos.statuses].map(([status, count]) => [`status ${status}`, count])),
    },
  };
}
