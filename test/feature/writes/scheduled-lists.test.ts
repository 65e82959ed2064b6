/**
 * @module The list of scheduled publications: its order, its entries, and those that a caller may change.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, documentsOf } from '../../support/client.ts';
import { createToken } from '../../support/recorded.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const PAGE = 'api::page.page';
const STORY = 'api::story.story';
const HOME = 'api::home.home';

type Entry = readonly [id: string, type: string, documentId: string, locale: string, action: string, at: number | null];

const ENTRIES: readonly Entry[] = [
  ['b', PAGE, 'page3', 'en', 'publish', null],
  ['e', PAGE, 'page4', 'en', 'publish', null],
  ['d', STORY, 'story1', '', 'unpublish', 2_000],
  ['a', PAGE, 'page2', 'en', 'publish', 2_000],
  ['g', HOME, '', '', 'publish', 4_000],
  ['c', PAGE, 'page1', 'en', 'publish', 1_000],
  ['f', PAGE, 'page1', 'en', 'unpublish', 3_000],
];

const { client: full, send } = openKinds();
const editor = clientOf(send, 'editor');
const idsFor = async (client = full, query = '') =>
  (await documentsOf(client.get(`/api/scheduled${query}`))).map(({ id }) => String(id)).join('');

beforeAll(() => createToken('editor', 'custom', [`${PAGE}.publish`, `${STORY}.unpublish`]));

beforeEach(async () => {
  const insert = env.DB.prepare(
    `insert into edgewise_scheduled ("id", "type", "document_id", "locale", "action", "at", "error", "created_at")
    values (?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const rows = ENTRIES.map((entry) => insert.bind(...entry, entry[5] === null ? 'Not Found' : null));
  await env.DB.batch([env.DB.prepare('delete from edgewise_scheduled'), ...rows]);
});

describe('the list of scheduled publications', () => {
  it('has the next one first, those of one time by id, and those that failed at its end', async () => {
    expect(await idsFor()).toBe('cadfgbe');
  });

  it('has of each type the actions that are granted', async () => {
    expect(await idsFor(editor)).toBe('cadbe');
    expect(await idsFor(editor, `?type=${STORY}`)).toBe('d');
    expect(await idsFor(editor, `?type=${HOME}`)).toBe('');
    expect(await idsFor(editor, '?documentId=page1')).toBe('c');
  });

  it('has no documentId of a single type, no locale of a type without locales, and no time after a failure', async () => {
    const entries = new Map(
      (await documentsOf(full.get('/api/scheduled'))).map((entry) => [entry.id as unknown, entry]),
    );
    expect(entries.get('g')).toEqual({
      ...{ id: 'g', type: HOME, documentId: null, locale: null, action: 'publish' },
      ...{ at: '1970-01-01T00:00:04.000Z', error: null },
    });
    expect(entries.get('b')).toEqual({
      ...{ id: 'b', type: PAGE, documentId: 'page3', locale: 'en', action: 'publish', at: null, error: 'Not Found' },
    });
  });
});

it('a caller cancels what the list shows, and nothing else', async () => {
  const statusOf = async (id: string) => [id, (await editor.remove(`/api/scheduled/${id}`)).status];
  expect(await Promise.all(['f', 'g', 'c', 'd', 'b'].map(statusOf))).toEqual([
    ...[
      ['f', 404],
      ['g', 404],
      ['c', 204],
      ['d', 204],
      ['b', 204],
    ],
  ]);
  expect(await idsFor()).toBe('afge');
});
