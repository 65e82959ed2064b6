/**
 * @module Unique attributes of components: within a list, among published documents, and in a race.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, errorOf, totalOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, userFile } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const unique = (type: string, rest = {}) => ({ type, unique: true, ...rest });
const of = (uid: string, repeatable = false, rest = {}) => ({ type: 'component', component: uid, repeatable, ...rest });
const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const ATTRIBUTES = {
  title: unique('string'),
  solo: of('c.part'),
  list: of('c.part', true),
  outer: of('c.outer'),
  outers: of('c.outer', true),
  zone: { type: 'dynamiczone', components: ['c.leaf', 'c.outer', 'c.part'] },
  leaves: { type: 'dynamiczone', components: ['c.leaf'] },
  last: { type: 'string', minLength: 3 },
};

const registry = registryOf(
  [
    contentType('place', ATTRIBUTES, { drafts: true }),
    contentType('plain', ATTRIBUTES),
    contentType('measure', { list: of('c.leaf', true) }, { drafts: true }),
    contentType('row', { list: of('c.leaf', true) }, { drafts: true }),
    contentType('still', { list: of('c.still', true) }),
    contentType('page', { list: of('c.leaf', true) }, { drafts: true, single: true }),
    contentType(
      'tongue',
      { own: of('c.leaf', false, LOCALIZED), shared: of('c.leaf') },
      { drafts: true, localized: true },
    ),
    contentType(
      'speech',
      { own: of('c.leaf', false, LOCALIZED), shared: of('c.leaf') },
      { localized: true, plural: 'speeches' },
    ),
    contentType('dialect', { hidden: unique('string', { private: true }), shared: of('c.outer') }, { localized: true }),
  ],
  [
    component('c.part', {
      code: unique('string'),
      slug: { type: 'uid' },
      num: unique('integer'),
      big: unique('biginteger'),
      dec: unique('decimal'),
      at: unique('datetime'),
      day: unique('date'),
      hour: unique('time'),
      mail: unique('email'),
      rich: unique('richtext'),
      secret: unique('password'),
      kind: unique('enumeration', { enum: ['a', 'b'] }),
      flag: unique('boolean'),
      data: unique('json'),
      label: { type: 'string', minLength: 3 },
    }),
    component('c.leaf', { code: unique('string') }),
    component('c.still', { code: { type: 'string' } }),
    component('c.middle', { tag: unique('string'), leaf: of('c.leaf'), leaves: of('c.leaf', true) }),
    component('c.outer', {
      name: unique('string'),
      leaf: of('c.leaf'),
      leaves: of('c.leaf', true),
      middle: of('c.middle'),
    }),
  ],
  {},
  { user: userFile({ parts: of('c.leaf', true) }) },
);
const counted = countedDatabase(env.DB);
const { client, send } = openWorld(
  registry,
  { api: { documents: { strictRelations: true } } },
  { DB: counted.database },
);
const MESSAGE = 'This attribute must be unique';
const TYPES = ['/api/places', '/api/plains'];

type Listed = ApiDocument & { readonly list: readonly { readonly id: number }[] };

let last = 0;
function fresh(): string {
  last += 1;
  return `value ${last}`;
}
const statements = () => counted.answering().map((batch) => batch.filter((sql) => sql.includes('"$entry0"')).length);
/** Paths, messages and values of what an error lists. */
const told = async (answer: Promise<Response>) => {
  const { details } = await errorOf(answer);
  const errors = (details?.errors ?? []) as readonly { path: string[]; message: string; value: unknown }[];
  return errors.map(({ path, message, value }) => [path.join('.'), message, value]);
};
const taken = (value: unknown, ...paths: readonly string[]) => paths.map((path) => [path, MESSAGE, value]);

beforeEach(() => void counted.batches.splice(0));

describe.each(TYPES)('in one document of %s', (type) => {
  it('is refused for each entry of a list that has the value', async () => {
    const code = fresh();
    const list = [{ code }, { code: fresh() }, { code }];
    expect(await told(client.create(type, { list }))).toEqual(taken(code, 'list.0.code', 'list.2.code'));
  });

  it('is refused below the entries of a list', async () => {
    const code = fresh();
    const outers = [{ middle: { leaf: { code } } }, { leaf: null }, { middle: { leaf: { code } } }];
    const paths = ['outers.0.middle.leaf.code', 'outers.2.middle.leaf.code'];
    expect(await told(client.create(type, { outers }))).toEqual(taken(code, ...paths));
  });

  it('is refused among the entries of a zone that are of one component', async () => {
    const code = fresh();
    const zone = ['c.leaf', 'c.part', 'c.leaf'].map((uid) => ({ __component: uid, code }));
    expect(await told(client.create(type, { zone }))).toEqual(taken(code, 'zone.0.code', 'zone.2.code'));
  });

  it('may stand in two places', async () => {
    const code = fresh();
    const zone = ['c.leaf', 'c.part'].map((uid) => ({ __component: uid, code }));
    const data = { solo: { code }, list: [{ code }], outer: { leaf: { code }, leaves: [{ code }] }, zone };
    await documentOf(client.create(type, { ...data, leaves: [{ __component: 'c.leaf', code }] }));
  });

  it.each([
    ['a list of a component', (code: string) => ({ outer: { leaves: [{ code }, { code }] } })],
    ['a list of an entry', (code: string) => ({ outers: [{ leaves: [{ code }] }, { leaves: [{ code }, { code }] }] })],
    [
      'an entry of a zone',
      (code: string) => ({
        zone: [
          { __component: 'c.leaf', code },
          { __component: 'c.outer', leaf: { code }, leaves: [{ code }, { code }] },
        ],
      }),
    ],
  ])('may stand twice in %s, as in Strapi', async (_, data) => {
    await documentOf(client.create(type, data(fresh())));
  });

  it('is none when it is null, empty or absent', async () => {
    const list = [{ code: '' }, { code: '' }, { code: null }, { code: null }, {}, {}];
    for (let round = 0; round < 2; round += 1) await documentOf(client.create(type, { list }));
  });

  it('may differ in case only', async () => {
    await documentOf(client.create(type, { list: [{ code: 'Case' }, { code: 'case' }] }));
  });
});

describe.each(TYPES)('a value of another document of %s', (type) => {
  it.each([
    ['solo.code', (code: string) => ({ solo: { code } })],
    ['list.1.code', (code: string) => ({ list: [{ code: fresh() }, { code }] })],
    ['outer.leaf.code', (code: string) => ({ outer: { leaf: { code } } })],
    ['outer.middle.leaves.0.code', (code: string) => ({ outer: { middle: { leaves: [{ code }] } } })],
    ['outers.0.leaves.0.code', (code: string) => ({ outers: [{ leaves: [{ code }] }] })],
    ['list.0.slug', () => ({ list: [{ slug: 'slug' }] })],
    ['zone.1.code', (code: string) => ({ zone: [{ __component: 'c.leaf' }, { __component: 'c.leaf', code }] })],
  ])('is refused at %s', async (path, data) => {
    const code = fresh();
    const value = path.endsWith('slug') ? 'slug' : code;
    await documentOf(client.create(type, data(code)));
    expect(await errorOf(client.create(type, data(code)))).toMatchObject({ status: 400, message: MESSAGE });
    expect(await told(client.create(type, data(code)))).toEqual(taken(value, path));
  });

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

  it.each([
    ['kind', 'a'],
    ['flag', true],
    ['data', { a: 1 }],
    ['secret', 'hunter2'],
  ])('may be the same where none is compared: %s', async (name, value) => {
    for (let round = 0; round < 2; round += 1)
      await documentOf(client.create(type, { solo: { [name]: value }, list: [{ [name]: value }, { [name]: value }] }));
  });

  it('may stand in another place', async () => {
    const code = fresh();
    await documentOf(client.create(type, { solo: { code }, zone: [{ __component: 'c.leaf', code }] }));
    const zone = [
      { __component: 'c.part', code },
      { __component: 'c.outer', leaf: { code } },
    ];
    await documentOf(client.create(type, { list: [{ code }], leaves: [{ __component: 'c.leaf', code }], zone }));
  });

  it('is refused together with all that is wrong besides, in the order of the attributes', async () => {
    const code = fresh();
    await documentOf(client.create(type, { title: code, solo: { code }, outer: { name: code } }));
    const list = [{ code: 'twice', label: 'a' }, { code: 'twice' }];
    const data = { title: code, solo: { code, label: 'a' }, list, outer: { name: code }, last: 'a' };
    expect((await told(client.create(type, data))).map(([path]) => path)).toEqual([
      'title',
      'solo.code',
      'solo.label',
      'list.0.code',
      'list.0.label',
      'list.1.code',
      'outer.name',
      'last',
    ]);
  });

  it('is free again when the other one has given it up', async () => {
    const code = fresh();
    const { documentId } = await documentOf(client.create(type, { list: [{ code }] }));
    await client.update(`${type}/${documentId}`, { list: [] });
    const other = await documentOf(client.create(type, { list: [{ code }] }));
    expect(await told(client.update(`${type}/${documentId}`, { list: [{ code }] }))).toEqual(
      taken(code, 'list.0.code'),
    );
    expect((await client.remove(`${type}/${other.documentId}`)).status).toBe(204);
    await documentOf(client.update(`${type}/${documentId}`, { list: [{ code }] }));
  });

  it('is no other one when it is its own', async () => {
    const [one, two] = [fresh(), fresh()];
    const data = { solo: { code: one }, list: [{ code: one }, { code: two }], outer: { leaf: { code: one } } };
    const { documentId } = await documentOf(client.create(type, data));
    const path = `${type}/${documentId}`;
    await documentOf(client.update(path, { last: 'something' }));
    await documentOf(client.update(path, data));
    await documentOf(client.update(path, { list: [{ code: two }, { code: one }] }));
    const { list } = (await documentOf(client.get(`${path}?status=draft&populate=list`))) as Listed;
    const kept = { list: list.map(({ id }) => ({ id, label: 'label' })) };
    const after = await documentOf(client.update(`${path}?populate=list`, kept));
    expect(after).toMatchObject({ list: [{ code: two }, { code: one }] });
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

  it('is found among as many as a list may have, in one statement', async () => {
    const codes = Array.from({ length: 500 }, fresh);
    await documentOf(client.create(type, { list: codes.map((code) => ({ code })) }));
    expect(statements()).toEqual([1]);
    const list = [...Array.from({ length: 499 }, () => ({ code: fresh() })), { code: codes.at(-1) }];
    expect(await told(client.create(type, { list }))).toEqual(taken(codes.at(-1), 'list.499.code'));
  });
});

describe('drafts', () => {
  it('may have values twice, and are refused when they are published', async () => {
    const code = fresh();
    const list = [{ code }, { code }];
    const { documentId } = await documentOf(client.create('/api/places?status=draft', { list, solo: { code } }));
    await documentOf(client.create('/api/places', { solo: { code } }));
    expect(await told(client.update(`/api/places/${documentId}`, {}))).toEqual(
      taken(code, 'solo.code', 'list.0.code', 'list.1.code'),
    );
    expect((await client.get(`/api/places/${documentId}`)).status).toBe(404);
  });

  it('hold what entries keep that are sent without it', async () => {
    const code = fresh();
    const created = client.create('/api/places?status=draft&populate=list', { list: [{ code }] });
    const draft = (await documentOf(created)) as Listed;
    await documentOf(client.create('/api/places', { list: [{ code }] }));
    const list = [{ code: fresh() }, { id: draft.list[0]?.id, label: 'label' }];
    expect(await told(client.update(`/api/places/${draft.documentId}`, { list }))).toEqual(taken(code, 'list.1.code'));
  });

  it('do not hold a value for the others', async () => {
    const code = fresh();
    await documentOf(client.create('/api/places?status=draft', { solo: { code } }));
    expect(statements()).toEqual([0]);
    await documentOf(client.create('/api/places', { solo: { code } }));
  });

  it('are published one at a time', async () => {
    const code = fresh();
    const drafts = await Promise.all(
      Array.from({ length: 6 }, () => documentOf(client.create('/api/places?status=draft', { solo: { code } }))),
    );
    const answers = await Promise.all(drafts.map(({ documentId }) => client.update(`/api/places/${documentId}`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });
});

describe.each(['/api/tongues', '/api/speeches'])('the locales of %s', (type) => {
  it('are compared each with its own kind', async () => {
    const own = { code: fresh() };
    const { documentId } = await documentOf(client.create(type, { own }));
    await documentOf(client.update(`${type}/${documentId}?locale=fr`, { own }));
    expect(await told(client.create(`${type}?locale=fr`, { own }))).toEqual(taken(own.code, 'own.code'));
    await documentOf(client.create(`${type}?locale=de`, { own }));
  });

  it('are compared each with its own kind where they share the component, too', async () => {
    const shared = { code: fresh() };
    const { documentId } = await documentOf(client.create(type, { shared }));
    await documentOf(client.update(`${type}/${documentId}?locale=fr`, { shared }));
    expect(await told(client.create(`${type}?locale=fr`, { shared }))).toEqual(taken(shared.code, 'shared.code'));
    await documentOf(client.create(`${type}?locale=de`, { shared }));
  });

  it('are compared with all that a shared component is carried to', async () => {
    const shared = { code: fresh() };
    await documentOf(client.create(`${type}?locale=de`, { shared }));
    const { documentId } = await documentOf(client.create(`${type}?locale=de`, {}));
    expect(await told(client.update(`${type}/${documentId}?locale=fr`, { shared }))).toEqual(
      taken(shared.code, 'shared.code'),
    );
  });
});

it('a new locale is refused what it would take over and publish', async () => {
  const shared = { code: fresh() };
  const { documentId } = await documentOf(client.create('/api/tongues?status=draft', { shared }));
  await documentOf(client.create('/api/tongues?locale=fr', { shared }));
  const refused = client.update(`/api/tongues/${documentId}?locale=fr`, { own: { code: fresh() } });
  expect(await told(refused)).toEqual(taken(shared.code, 'shared.code'));
});

describe('a new locale of a type without drafts', () => {
  it('rejects every unique value that it inherits and another document has there', async () => {
    const [code, open, hidden] = [fresh(), fresh(), fresh()];
    const shared = { middle: { leaves: [{ code }] }, name: open };
    const { documentId } = await documentOf(client.create('/api/dialects?locale=fr', { shared, hidden }));
    await documentOf(client.create('/api/dialects', { shared, hidden }));
    const create = (data: object) => told(client.update(`/api/dialects/${documentId}`, data));
    const inherited = [...taken(open, 'shared.name'), ...taken(code, 'shared.middle.leaves.0.code')];
    // A private value that is not sent is not shown.
    expect(await create({})).toEqual([['hidden', MESSAGE, undefined], ...inherited]);
    expect(await create({ hidden: fresh(), shared: null })).toEqual(inherited);
    expect(await create({ hidden, shared: {} })).toEqual(taken(hidden, 'hidden'));
    expect((await client.get(`/api/dialects/${documentId}`)).status).toBe(404);
    await documentOf(client.update(`/api/dialects/${documentId}?locale=de`, {}));
  });

  it('has exactly one of several creators of locales', async () => {
    const shared = { name: fresh() };
    const ids = await Promise.all(
      ['fr', 'de', 'es'].map(async (locale) => {
        const { documentId } = await documentOf(client.create(`/api/dialects?locale=${locale}`, { shared }));
        return documentId;
      }),
    );
    const statuses = await Promise.all(ids.map(async (id) => (await client.update(`/api/dialects/${id}`, {})).status));
    expect(statuses.sort()).toEqual([200, 400, 400]);
  });
});

it('a single type is compared with itself alone', async () => {
  const code = fresh();
  for (let round = 0; round < 2; round += 1) await documentOf(client.update('/api/page', { list: [{ code }] }));
  expect(await told(client.update('/api/page', { list: [{ code }, { code }] }))).toEqual(
    taken(code, 'list.0.code', 'list.1.code'),
  );
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

it.each(['a\u0000b', '\ud800', 'ü𝄞', `it's "quoted" \\ 100%`])('an odd text is compared: %j', async (text) => {
  const list = [{ code: `${text}${fresh()}` }];
  await documentOf(client.create('/api/rows', { list }));
  expect(await errorOf(client.create('/api/rows', { list }))).toMatchObject({ status: 400, message: MESSAGE });
});

describe('users', () => {
  const create = (name: string, code: string) => {
    const account = { username: name, email: `${name}@example.com`, password: 'Passw0rd!' };
    return send('/api/users', sendJson('POST', 'full', { ...account, role: 1, parts: [{ code }] }));
  };

  it('are compared like documents', async () => {
    const code = fresh();
    expect((await create('first', code)).status).toBe(201);
    expect(await errorOf(create('second', code))).toMatchObject({ name: 'ApplicationError', message: MESSAGE });
  });

  it('have exactly one of several writers', async () => {
    const code = fresh();
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map((name) => create(`${name}-user`, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400))
      expect((await errorOf(Promise.resolve(answer))).message).toBe(MESSAGE);
  });
});

describe('what it costs', () => {
  it('is nothing where no component has unique attributes', async () => {
    await documentOf(client.create('/api/stills', { list: [{ code: 'same' }, { code: 'same' }] }));
    expect(statements()).toEqual([0]);
  });

  it('is nothing where the write brings no such value', async () => {
    await documentOf(client.create('/api/plains', { last: 'something', list: [{ label: 'label' }] }));
    expect(statements()).toEqual([0]);
  });

  it('is one statement for all places, in the batch that writes', async () => {
    const code = fresh();
    const data = { solo: { code }, list: [{ code, slug: 'a-slug' }], outer: { name: code, leaf: { code } } };
    const { documentId } = await documentOf(client.create('/api/places', data));
    expect(statements()).toEqual([1]);
    counted.batches.splice(0);
    await documentOf(client.update(`/api/places/${documentId}`, {}));
    expect(statements()).toEqual([0, 1]);
  });

  it('is a row for each published document of the type, and one for each entry of its list', async () => {
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
});
