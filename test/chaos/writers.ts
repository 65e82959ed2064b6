/**
 * @module Writers on a server that is killed now and then. Each has documents of its own, and knows the events of each.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../support/dice.ts';

/** Of the only API token. */
export const TOKEN = 'chaos';

/** A document of one writer. */
export interface Written {
  readonly type: 'stories' | 'notes';
  /** Of what was committed, in order. */
  readonly events: string[];
  /** Of a write whose outcome is unknown; there is none after it. */
  unknown?: readonly string[];
  isPublished: boolean;
}

export interface Writing {
  readonly dice: Dice;
  readonly origin: () => Promise<string>;
  /** Writes still to be made. */
  left: number;
  /** By documentId. */
  readonly documents: Map<string, Written>;
  /** Events of creations whose outcome is unknown. */
  readonly lost: string[];
  readonly figures: { committed: number; lost: number };
  readonly complaints: string[];
}

interface Sent {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly events: readonly string[];
  readonly isPublished: boolean;
}

const STORY = '/api/stories';

function creationOf({ dice }: Writing): Sent {
  const method = 'POST';
  if (dice.once(2)) return { method, path: '/api/notes', events: ['entry.create'], isPublished: false };
  return dice.once(2)
    ? { method, path: `${STORY}?status=draft`, events: ['entry.create'], isPublished: false }
    : { method, path: STORY, events: ['entry.create', 'entry.publish'], isPublished: true };
}

function changeOf({ dice }: Writing, documentId: string, { type, isPublished }: Written): Sent {
  const path = `/api/${type}/${documentId}`;
  if (dice.once(12)) {
    const events = isPublished ? ['entry.delete', 'entry.delete'] : ['entry.delete'];
    return { method: 'DELETE', path, events, isPublished: false };
  }
  if (type === 'notes') return { method: 'PUT', path, events: ['entry.update'], isPublished };
  const action = (name: string, event: string): Sent => ({
    ...{ method: 'POST', path: `${path}/actions/${name}`, events: [`entry.${event}`] },
    isPublished: name === 'unpublish' ? false : name === 'publish' || isPublished,
  });
  const choices: [Sent, ...Sent[]] = [
    { method: 'PUT', path, events: ['entry.update', 'entry.publish'], isPublished: true },
    { method: 'PUT', path: `${path}?status=draft`, events: ['entry.update'], isPublished },
    action('publish', 'publish'),
    ...(isPublished ? [action('unpublish', 'unpublish'), action('discard-draft', 'draft-discard')] : []),
  ];
  return dice.pick(choices);
}

/** Returns the documentId of the response; undefined if the outcome is unknown. */
async function send(writing: Writing, { method, path }: Sent): Promise<string | undefined> {
  const body = path.includes('/actions/') ? {} : { data: { title: `T${writing.left}` } };
  try {
    const response = await fetch(`${await writing.origin()}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 204) return '';
    if (response.ok) return (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
    if (response.status !== 503) writing.complaints.push(`${method} ${path}: ${response.status} ${text}`);
  } catch {
    // The server was killed.
  }
  writing.figures.lost += 1;
  await pause(50);
  return undefined;
}

/** Writes until nothing is left to be written. */
export async function write(writing: Writing): Promise<void> {
  const { dice, documents, lost, figures } = writing;
  const own: [string, Written][] = [];
  while (writing.left > 0) {
    writing.left -= 1;
    const index = dice.below(own.length + 1);
    const [documentId, document] = own.length < 4 ? [] : (own[index] ?? []);
    const sent = documentId && document ? changeOf(writing, documentId, document) : creationOf(writing);
    const received = await send(writing, sent);
    if (received !== undefined) figures.committed += 1;
    if (!document) {
      if (received === undefined) lost.push(sent.events.join());
      else {
        const type = sent.path.startsWith(STORY) ? 'stories' : 'notes';
        const created: Written = { type, events: [...sent.events], isPublished: sent.isPublished };
        documents.set(received, created);
        own.push([received, created]);
      }
      continue;
    }
    if (received === undefined) document.unknown = sent.events;
    else document.events.push(...sent.events);
    document.isPublished = sent.isPublished;
    if (received === undefined || sent.method === 'DELETE') own.splice(index, 1);
  }
}

/** An event of a document, as the database has noted it. */
interface Noted {
  readonly event: string;
  readonly document_id: string;
}

/** Compares the events that were stored with what the writers know. */
export function storedComplaints({ documents, lost }: Writing, events: readonly Noted[]): readonly string[] {
  const stored = Map.groupBy(events, ({ document_id }) => document_id);
  const complaints = [...documents].flatMap(([documentId, { events, unknown }]) => {
    const found = (stored.get(documentId) ?? []).map(({ event }) => event).join();
    const expected = [events.join(), ...(unknown ? [[...events, ...unknown].join()] : [])];
    return expected.includes(found) ? [] : [`${documentId} has ${found}, not ${expected.join(' or ')}`];
  });
  for (const [documentId, own] of stored) {
    if (documents.has(documentId)) continue;
    const index = lost.indexOf(own.map(({ event }) => event).join());
    if (index < 0) complaints.push(`${documentId} was never written`);
    else lost.splice(index, 1);
  }
  return complaints;
}
