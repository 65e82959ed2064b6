/**
 * @module What grants with conditions cost: round trips of reads and writes, and the rows that a list reads.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { type Client, clientOf, documentOf, documentsOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openRights } from '../../support/worlds/rights.ts';
import { guardedRegistry, id } from '../../support/worlds/rights-model.ts';

const OWN = { author: '$user' };
const {
  client: full,
  send,
  serve,
} = openRights({
  roles: {
    authenticated: [
      {
        action: [id('note', 'find'), id('note', 'findOne')],
        where: { $or: [OWN, { editors: '$user' }, { text: { $eq: 'open' } }] },
        fields: ['text', 'number', 'author', 'team', 'cover', 'folder'],
      },
      {
        action: id('note', 'find'),
        where: { team: '$user.team' },
        fields: ['text', 'number', 'author', 'team', 'cover', 'folder'],
      },
      { action: id('note', 'update'), where: OWN, fields: ['number'], validate: { number: { $lt: 100 } } },
      id('folder', 'find'),
      id('team', 'find'),
      'plugin::users-permissions.user.find',
      'plugin::upload.content-api.find',
    ],
  },
});

let anna: SignedIn;
let bert: SignedIn;
let path = '';

beforeAll(async () => {
  anna = await register(send, 'anna');
  bert = await register(send, 'bert');
  const { documentId } = await documentOf(
    full.create('/api/notes', { text: 'annas', author: anna.user.id, number: 1 }),
  );
  path = `/api/notes/${documentId}`;
});

describe('rows read', () => {
  const MANY = 2_000;

  it('are few for a list under a condition that an index serves', async () => {
    const { database, rowsRead } = countedDatabase(env.DB);
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})`;
    await env.DB.batch([
      env.DB.prepare(
        `${numbers} insert into notes (document_id, locale, published_at, text) select 'many' || i, '', 0, 'many' from n`,
      ),
      env.DB.prepare(
        `insert into notes_author_lnk (source_document_id, target_document_id, status, position, inverse_position)
         select document_id, ?, 'published', 1, 1 from notes where text = 'many'`,
      ).bind(bert.user.documentId),
    ]);
    const own = serveRegistry(
      guardedRegistry,
      { roles: { authenticated: [{ action: id('note', 'find'), where: OWN }] } },
      { DB: database },
    );
    rowsRead.clear();
    const mine = await documentsOf(clientOf(own, anna.jwt).get('/api/notes?pagination[withCount]=false'));
    const read = [...rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
    expect(mine).toHaveLength(1);
    expect(read).toBeLessThan(4 * mine.length + 20);
    await env.DB.prepare(`delete from notes where text = 'many'`).run();
    await env.DB.prepare(`delete from notes_author_lnk where source_document_id like 'many%'`).run();
  });
});

describe('round trips', () => {
  const trips = async (work: (client: Client) => Promise<Response>): Promise<number> => {
    const { database, answering } = countedDatabase(env.DB);
    const counted = serve({}, { DB: database });
    expect((await work(clientOf(counted, anna.jwt))).status).toBeLessThan(300);
    return answering().length;
  };

  it('of a read are one, of a write two', async () => {
    expect(await trips((client) => client.get('/api/notes?populate=*'))).toBe(1);
    expect(await trips((client) => client.get(path))).toBe(1);
    expect(await trips((client) => client.update(path, { number: 1 }))).toBe(2);
  });
});
