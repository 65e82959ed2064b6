/**
 * @module Stores a message for each webhook that takes an event, in the batch of the change.
 */
import type { DocumentChange, Operation } from '../../content/plan/model/change.ts';
import type { WritePlan } from '../../content/plan/model/write-plan.ts';
import { shownScalars } from '../../content/plan/read/fields.ts';
import { scopeOf } from '../../content/plan/read/name-scope.ts';
import { changesOf, removalsOf, sharedChangesOf } from '../../content/plan/write/changes.ts';
import type { Call, Notices } from '../../content/runtime/call.ts';
import type { Webhook } from '../../schema/settings/webhook-setting.ts';
import { FILE_UID } from '../../schema/system-types.ts';
import { deliverSoon } from './deliver.ts';
import { insertMessages, insertRemovals, insertShared, type Recipient } from './sql/outbox.ts';

/** As Strapi names it. */
const eventOf = (operation: Operation, uid: string): string =>
  `${uid === FILE_UID ? 'media' : 'entry'}.${operation === 'discardDraft' ? 'draft-discard' : operation}`;

function takesEvent({ events, types }: Webhook, event: string, uid: string): boolean {
  const isOfType = uid === FILE_UID || types === undefined || types.includes(uid);
  return isOfType && [event, event.replace(/\..*/, '.*')].some((name) => events.includes(name));
}

function recipientsOf({ settings }: Call, operation: Operation, uid: string): readonly Recipient[] {
  const event = eventOf(operation, uid);
  return settings.webhooks
    .filter((webhook) => takesEvent(webhook, event, uid))
    .map(({ url }) => ({ endpoint: url, event }));
}

const messagesOf = (call: Call, changes: readonly DocumentChange[]) =>
  changes.flatMap(({ operation, uid, documentId, locale }) =>
    recipientsOf(call, operation, uid).map((to) => ({ ...to, type: uid, documentId, locale: locale ?? '' })),
  );

/** Returns the statements that store messages; they are delivered after the commit. */
export function webhookNotices(plan: WritePlan, call: Call): Notices {
  const messages = messagesOf(call, changesOf(plan));
  const before = removalsOf(plan).flatMap((removal) => {
    const recipients = recipientsOf(call, removal.operation, removal.rows.type.uid);
    const shown = shownScalars(scopeOf(removal.rows.type, undefined));
    return recipients.length > 0 ? [insertRemovals(removal, shown, recipients, call.now)] : [];
  });
  const shared = sharedChangesOf(plan).flatMap((change) => {
    const recipients = recipientsOf(call, change.operation, change.row.type.uid);
    return recipients.length > 0 ? [insertShared(change, recipients, call.now)] : [];
  });
  const after = [...(messages.length > 0 ? [insertMessages(messages, call.now)] : []), ...shared];
  return {
    before,
    after,
    committed() {
      if (before.length + after.length > 0)
        call.afterResponse?.((database, env) => deliverSoon({ ...call, database }, env));
    },
  };
}
