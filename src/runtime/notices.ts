/**
 * @module Reports what a commit changes: to webhooks by rows of the outbox, which the same batch writes, and to code of the
 * project by a call after it.
 */

import type { DocumentChange, Operation } from '../plan/model/change.ts';
import type { WritePlan } from '../plan/model/write-plan.ts';
import { shownScalars } from '../plan/read/fields.ts';
import { scopeOf } from '../plan/read/name-scope.ts';
import { changesOf, removalsOf } from '../plan/write/changes.ts';
import { FILE_UID } from '../registry/system-types.ts';
import type { Settings } from '../settings/config.ts';
import { together } from '../sql/compiled.ts';
import type { Results, Statement } from '../sql/statement.ts';
import { insertMessages, insertRemovals, type Recipient, selectRemovals } from '../sql/write/outbox.ts';
import type { Call } from './call.ts';

export interface Notices {
  /** Statements before those of the plan, while the rows that it deletes are there. */
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
  /** To be called after the commit, with the rows of `before`; undefined if its response was lost. */
  committed(results: Results | undefined): void;
}

const NONE: Notices = { before: [], after: [], committed: () => {} };

/** As Strapi names it. */
const eventOf = (operation: Operation, uid: string): string =>
  `${uid === FILE_UID ? 'media' : 'entry'}.${operation === 'discardDraft' ? 'draft-discard' : operation}`;

function takes({ events, types }: Settings['webhooks'][number], event: string, uid: string): boolean {
  const isOfType = uid === FILE_UID || types === undefined || types.includes(uid);
  return isOfType && [event, event.replace(/\..*/, '.*')].some((name) => events.includes(name));
}

function recipientsOf({ settings }: Call, operation: Operation, uid: string): readonly Recipient[] {
  const event = eventOf(operation, uid);
  return settings.webhooks.filter((webhook) => takes(webhook, event, uid)).map(({ url }) => ({ endpoint: url, event }));
}

const messagesOf = (call: Call, changes: readonly DocumentChange[]) =>
  changes.flatMap(({ operation, uid, documentId, locale }) =>
    recipientsOf(call, operation, uid).map((to) => ({ ...to, type: uid, documentId, locale: locale ?? '' })),
  );

/** Without webhooks and `afterCommit` there are none. */
export function noticesOf(plan: WritePlan, call: Call): Notices {
  const { now, settings, hooks } = call;
  const afterCommit = hooks?.afterCommit;
  if (settings.webhooks.length === 0 && !afterCommit) return NONE;
  const changes = changesOf(plan);
  const removals = removalsOf(plan);
  const messages = messagesOf(call, changes);
  const stored = removals.flatMap((removal) => {
    const recipients = recipientsOf(call, removal.operation, removal.rows.type.uid);
    const shown = shownScalars(scopeOf(removal.rows.type, undefined));
    return recipients.length > 0 ? [insertRemovals(removal, shown, recipients, now)] : [];
  });
  const removed = together(afterCommit ? removals.map(selectRemovals) : []);
  return {
    before: [...removed.statements, ...stored],
    after: messages.length > 0 ? [insertMessages(messages, now)] : [],
    committed(results) {
      if (messages.length + stored.length > 0) call.deliver?.();
      const gone = results ? removed.decode(results.slice(0, removed.statements.length)).flat() : [];
      if (changes.length + gone.length > 0) afterCommit?.([...changes, ...gone], call);
    },
  };
}
