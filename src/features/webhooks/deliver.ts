/**
 * @module Delivers the messages of the outbox: after a commit, and each minute what is left. Each is delivered at least
 * once, and one document's in their order.
 */
import { memoized } from '../../common/cache.ts';
import type { Caches } from '../../content/runtime/caches.ts';
import type { Call } from '../../content/runtime/call.ts';
import { constant, together } from '../../content/sql/compiled.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { isOverLimit } from '../../content/sql/statement-count.ts';
import type { Webhook } from '../../schema/settings/webhook-setting.ts';
import { type PayloadCall, payloadOf } from './payload.ts';
import { sendMessage } from './send.ts';
import {
  type ClaimedMessage,
  claimDue,
  deleteOld,
  endpointFails,
  endpointWorks,
  markDelivered,
  markFailed,
  releaseNext,
} from './sql/deliveries.ts';

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

/** A run that is cut off leaves its messages to others after that. Longer than a message takes. */
const LEASE = 60 * SECOND;

/** Messages of an endpoint at once: each is of another document. */
const MAX_AT_ONCE = 2;

/** What a run may send: a Worker of the free plan has 50 requests. */
const MAX_SENT = 40;

/** Work after a response ends after 30 seconds; a message takes 10. */
const RUN = 18 * SECOND;

/** Statements that an invocation may still send to D1 when messages are claimed; others may have sent some before. */
const ROOM = 300;

/** A run takes along the new messages of its isolate for so long; then others start, since it may wait for a slow endpoint. */
const ALONE = 2 * SECOND;

/** With the pauses of `pauseAfter`, they take three days. */
const MAX_ATTEMPTS = 20;

/** Characters that are kept. */
const MAX_ERROR = 500;

/** Milliseconds: 5 seconds, then three times as long each time, up to 6 hours, with jitter. */
const pauseAfter = (attempts: number): number =>
  Math.min(5 * SECOND * 3 ** (attempts - 1), 6 * HOUR) * (0.75 + Math.random() / 2);

type DeliveryCall = PayloadCall & Pick<Call, 'caches'>;

/** What is left of a run. */
interface Budget {
  sends: number;
  /** Milliseconds since 1970. */
  readonly end: number;
}

interface Outcome {
  readonly message: ClaimedMessage;
  readonly error?: string;
}

async function attempt(call: DeliveryCall, webhook: Webhook, message: ClaimedMessage, env: object): Promise<Outcome> {
  try {
    const { id, event } = message;
    await sendMessage(webhook, { id, event, body: await payloadOf(call, message) }, env);
    return { message };
  } catch (error) {
    // The endpoint has not failed: the message is due again after the lease.
    if (isOverLimit(error)) throw error;
    return { message, error: String(error instanceof Error ? error.message : error).slice(0, MAX_ERROR) };
  }
}

function settled({ message, error }: Outcome, now: number): readonly Statement[] {
  if (error === undefined) return [markDelivered(message, now), releaseNext(message, now)];
  if (message.attempts >= MAX_ATTEMPTS) return [markFailed(message, null, error), releaseNext(message, now)];
  return [markFailed(message, Math.round(now + pauseAfter(message.attempts)), error)];
}

/** Keeps what became of messages, and claims up to `max` of the next ones. */
async function settle({ database }: DeliveryCall, { url }: Webhook, outcomes: readonly Outcome[], max: number) {
  const now = Date.now();
  const works = outcomes.some(({ error }) => error === undefined);
  const batch = together([
    {
      statements: [...outcomes.flatMap((each) => settled(each, now)), ...(works ? [endpointWorks(url)] : [])],
      decode: () => undefined,
    },
    works ? constant(false) : endpointFails(url, now, now - DAY),
    claimDue([url], max, now, LEASE),
  ]);
  const [, isPaused, next] = batch.decode(await database.write(batch.statements));
  if (isPaused) {
    const message = 'paused, since it has failed for a day: npx edgewise webhook resume';
    console.error(JSON.stringify({ webhook: url, message, error: outcomes[0]?.error }));
  }
  return next;
}

/** Sends what an endpoint gets, until nothing is due. */
async function deliverTo(
  call: DeliveryCall,
  webhook: Webhook,
  first: readonly ClaimedMessage[],
  env: object,
  budget: Budget,
): Promise<void> {
  for (let messages = first; messages.length > 0; ) {
    const outcomes = await Promise.all(messages.map((message) => attempt(call, webhook, message, env)));
    const goesOn = Date.now() < budget.end && call.database.hasRoom(ROOM);
    const max = goesOn ? Math.min(MAX_AT_ONCE, budget.sends) : 0;
    budget.sends -= max;
    messages = await settle(call, webhook, outcomes, max);
    budget.sends += max - messages.length;
  }
}

async function deliver(call: DeliveryCall, env: object, budget: Budget): Promise<void> {
  const { database, settings } = call;
  if (!database.hasRoom(ROOM)) return;
  const claim = claimDue(
    settings.webhooks.map(({ url }) => url),
    Math.min(MAX_AT_ONCE, Math.floor(budget.sends / settings.webhooks.length)),
    Date.now(),
    LEASE,
  );
  const claimed = claim.decode(await database.write(claim.statements));
  budget.sends -= claimed.length;
  const runs = settings.webhooks.map((webhook) => {
    const first = claimed.filter(({ endpoint }) => endpoint === webhook.url);
    return deliverTo(call, webhook, first, env, budget);
  });
  // An endpoint whose outcome could not be kept stops none of the others.
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected');
  if (failed) throw failed.reason;
}

const budgetOf = (): Budget => ({ sends: MAX_SENT, end: Date.now() + RUN });

/** Delivers what is due, and deletes what is old. For the cron trigger of a project with webhooks. */
export async function deliverDue(call: DeliveryCall, env: object): Promise<void> {
  const now = Date.now();
  const urls = call.settings.webhooks.map(({ url }) => url);
  await call.database.write(deleteOld(urls, now - DAY, now - 30 * DAY, now));
  await deliver(call, env, budgetOf());
}

/** Of an isolate: when another run may begin, and whether there may be messages that the present one has not seen. */
const stateOf = memoized((_: Caches) => ({ busyUntil: 0, isDue: false }), new WeakMap());

/** Delivers what a commit has stored. A run of the isolate that has just begun takes it along. */
export async function deliverSoon(call: DeliveryCall, env: object): Promise<void> {
  const state = stateOf(call.caches);
  state.isDue = true;
  if (Date.now() < state.busyUntil) return;
  state.busyUntil = Date.now() + ALONE;
  const budget = budgetOf();
  try {
    while (state.isDue && Date.now() < budget.end) {
      state.isDue = false;
      await deliver(call, env, budget);
    }
  } finally {
    state.busyUntil = 0;
  }
}
