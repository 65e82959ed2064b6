/**
 * @module Unique attributes of components: among published documents, in whatever form a value is sent, and in a race.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf, totalOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, userFile } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const unique = (type: string) => ({ type, unique: true });
const of = (uid: string, repeatable = false) => ({ type: 'component', component: uid, repeatable });

const ATTRIBUTES = { solo: of('c.part'), list: of('c.part', true) };

const registry = registryOf(
  [
    contentType('place', ATTRIBUTES, { drafts: true }),
    contentType('plain', ATTRIBUTES),
    contentType('measure', { list: of('c.leaf', true) }, { drafts: true }),
    contentType('row', { list: of('c.leaf', true) }, { drafts: true }),
  ],
  [
    component('c.part', {
      code: unique('string'),
      num: unique('integer'),
      big: unique('biginteger'),
      dec: unique('decimal'),
      at: unique('datetime'),
      day: unique('date'),
      hour: unique('time'),
      mail: unique('email'),
      rich: unique('richtext'),
    }),
    component('c.leaf', { code: unique('string') }),
  ],
  {},
  { user: userFile({ parts: of('c.leaf', true) }) },
);
const counted = countedDatabase(env.DB);
const { client, send } = openWorld(registry, {}, { DB: counted.database });
const MESSAGE = 'This attribute must be unique';

let last = 0;
function fresh(): string {
  last += 1;
  return `value ${last}`;
}
/** Paths, messages and values of what an error lists. */
const told = async (answer: Promise<Response>) => {
  const { details } = await errorOf(answer);
  const errors = (details?.errors ?? []) as readonly { path: string[]; message: string; value: unknown }[];
  return errors.map(({ path, message, value }) => [path.join('.'), message, value]);
};
const taken = (value: unknown, ...paths: readonly string[]) => paths.map((path) => [path, MESSAGE, value]);

describe.each(['/api/places', '/api/plains'])('a value of another document of %s', (type) => {
  it.each([
    ['num', 5, '5'],
    ['big', '9007199254740991', '+9007199254740991'],
    ['dec', 1.5, '1.5'],
    ['at', '2024-01-01T00:00:00.000Z', '2024-01-01T02:00:00+02:00'],
    ['day', '2024-01-01', '2024-01-01T11:00:00Z'],
    ['hour', '10:00:00.000', '10:00:00'],
    ['mail', 'a@example.com', 'a@example.com'],
    ['rich', 'text', 'text'],
  ])('is refused in whatever form it is sent: %s', async (name, value, sent) => {
    await documentOf(client.create(type, { solo: { [name]: value } }));
    const refused = await told(client.create(type, { solo: { [name]: sent } }));
    expect(refused.map(([path, message]) => [path, message])).toEqual([[`solo.${name}`, MESSAGE]]);
    const twice = await told(client.create(type, { list: [{ [name]: value }, { [name]: sent }] }));
    expect(twice.map(([path]) => path)).toEqual([`list.0.${name}`, `list.1.${name}`]);
  });

  it('has exactly one of ten writers', async () => {
    const code = fresh();
    const data = { list: [{ code: fresh() }, { code }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.create(type, { list: [{ code }] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
    for (const answer of answers.filter(({ status }) => status === 400))
      expect(await told(Promise.resolve(answer))).toEqual(taken(code, 'list.0.code'));
    expect(await totalOf(client.get(`${type}?filters[list][code]=${encodeURIComponent(code)}`))).toBe(1);
    expect(await told(client.create(type, data))).toEqual(taken(code, 'list.1.code'));
  });
});

it('a value is compared beside content that a list has no place for', async () => {
  const code = fresh();
  await documentOf(client.create('/api/rows', { list: [{ code }] }));
  const { documentId } = await documentOf(client.create('/api/rows', {}));
  for (const odd of [`{"id":1,"code":"${code}"}`, `["${code}",7,null]`, 'null']) {
    await env.DB.prepare('update "rows" set "list" = ?1 where "document_id" = ?2').bind(odd, documentId).run();
    await documentOf(client.create('/api/rows', { list: [{ code: fresh() }] }));
    expect(await told(client.create('/api/rows', { list: [{ code }] }))).toEqual(taken(code, 'list.0.code'));
  }
});

it.each(['a\u0000b', 'ü𝄞', `it's "quoted" \\ 100%`])('an odd text is compared: %j', async (text) => {
  const list = [{ code: `${text}${fresh()}` }];
  await documentOf(client.create('/api/rows', { list }));
  expect(await errorOf(client.create('/api/rows', { list }))).toMatchObject({ status: 400, message: MESSAGE });
});

it('users are compared like documents', async () => {
  const create = (name: string, code: string) => {
    const account = { username: name, email: `${name}@example.com`, password: 'Passw0rd!' };
    return send('/api/users', sendJson('POST', 'full', { ...account, role: 1, parts: [{ code }] }));
  };
  const code = fresh();
  expect((await create('first', code)).status).toBe(201);
  expect(await errorOf(create('second', code))).toMatchObject({ name: 'ApplicationError', message: MESSAGE });
});

it('a comparison reads a row for each published document of the type, and one for each entry of its list', async () => {
  const create = () => client.create('/api/measures', { list: [{ code: fresh() }, { code: fresh() }] });
  for (let count = 0; count < 20; count += 1) await documentOf(create());
  await documentOf(client.create('/api/measures?status=draft', { list: [{ code: fresh() }] }));
  counted.rowsRead.clear();
  await documentOf(create());
  const read = [...counted.rowsRead].filter(([sql]) => sql.includes('"$entry0"')).map(([, rows]) => rows);
  expect(read).toHaveLength(1);
  expect(read[0]).toBeGreaterThan(20);
  expect(read[0]).toBeLessThan(20 * 3 + 10);
});
