/**
 * @module Relations under odd and heavy input: refused or done whole, and the database stays consistent.
 */
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, errorOf } from '../../support/client.ts';
import { everything } from '../../support/everything.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

let serial = 0;
const create = (route: string, data: object = {}, search = ''): Promise<ApiDocument> => {
  serial += 1;
  const titled = route === 'articles' || route === 'issues';
  const name = titled
    ? { title: `Title ${serial}`, ...(route === 'issues' && { number: serial }) }
    : { name: `Name ${serial}` };
  return documentOf(client.create(`/api/${route}${search}`, { ...name, ...data }));
};
const idsOf = (value: unknown): readonly string[] => (value as ApiDocument[]).map(({ documentId }) => documentId);

/** documentIds of new documents. */
const several = async (route: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await create(route)).documentId);
  return ids;
};

const tagsOf = async (documentId: string, status = 'published'): Promise<readonly string[]> =>
  idsOf((await documentOf(client.get(`/api/articles/${documentId}?populate=tags&status=${status}`))).tags);

afterEach(async () => {
  expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
});

describe('a relation is refused, and nothing is stored,', () => {
  it.each([
    ['that connects a document of another type', (id: string) => ({ connect: [id] })],
    ['that is placed before no document', () => ({ connect: [{ documentId: 'TAG', position: { before: 'nobody' } }] })],
    [
      'that is placed after a document of another type',
      (id: string) => ({ connect: [{ documentId: 'TAG', position: { after: id } }] }),
    ],
    ['that disconnects no document', () => ({ disconnect: ['nobody'] })],
    ['that connects no row', () => ({ connect: [987_654_321] })],
    ['that sets one of many to no document', () => ({ set: ['TAG', 'nobody'] })],
    ['with a key that means nothing', () => ({ connect: ['TAG'], append: ['TAG'] })],
    ['with names that are no names', () => ({ connect: [true, [], {}] })],
  ])('%s', async (_, relation) => {
    const [tag = ''] = await several('tags', 1);
    const { documentId } = await create('articles', { tags: [tag] });
    const before = await everything(recordedRegistry);
    const tags = JSON.parse(JSON.stringify(relation(documentId)).replaceAll('TAG', tag)) as unknown;
    expect((await client.update(`/api/articles/${documentId}`, { tags })).status).toBe(400);
    expect(await everything(recordedRegistry)).toEqual(before);
  });

  it('when it leads to a document that was deleted', async () => {
    const [tag = ''] = await several('tags', 1);
    await client.remove(`/api/tags/${tag}`);
    const { message } = await errorOf(client.create('/api/articles', { title: 'Late', tags: [tag] }));
    expect(message).toBe(`Document with id "${tag}", locale "null" not found`);
  });

  it('when it is longer than a body may be', async () => {
    const { documentId } = await create('articles');
    const connect = Array.from({ length: 50_000 }, () => 'abcdefghijklmnopqrstuvwx');
    const { status, name } = await errorOf(client.update(`/api/articles/${documentId}`, { tags: { connect } }));
    expect({ status, name }).toEqual({ status: 413, name: 'PayloadTooLargeError' });
  });
});

describe('positions', () => {
  /** An article with four tags, `a` to `d`, and what its order is after a change; other tags are `e` and `f`. */
  async function orderAfter(change: (id: (name: string) => string) => object): Promise<string> {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ids = await several('tags', names.length);
    const id = (name: string) => ids[names.indexOf(name)] ?? '';
    const { documentId } = await create('articles', { tags: ids.slice(0, 4) });
    expect((await client.update(`/api/articles/${documentId}`, { tags: change(id) })).status).toBe(200);
    const orders = [await tagsOf(documentId), await tagsOf(documentId, 'draft')].map((order) =>
      order.map((tag) => names[ids.indexOf(tag)]).join(''),
    );
    expect(orders[0]).toBe(orders[1]);
    return orders[0] ?? '';
  }
  const at = (documentId: string, position: object) => ({ documentId, position });

  it.each<[string, string, (id: (name: string) => string) => object]>([
    ['before itself is the end', 'bcda', (id) => ({ connect: [at(id('a'), { before: id('a') })] })],
    ['after itself is the end', 'bcda', (id) => ({ connect: [at(id('a'), { after: id('a') })] })],
    [
      'next to what is disconnected is where that was',
      'abed',
      (id) => ({ disconnect: [id('c')], connect: [at(id('e'), { after: id('c') })] }),
    ],
    [
      'next to what comes later waits for that',
      'efabcd',
      (id) => ({ connect: [at(id('e'), { before: id('f') }), at(id('f'), { start: true })] }),
    ],
    [
      'in a circle of moved ones is taken one by one',
      'acbd',
      (id) => ({
        connect: [at(id('a'), { before: id('b') }), at(id('b'), { before: id('c') }), at(id('c'), { before: id('b') })],
      }),
    ],
    [
      'of a chain follows the chain',
      'aefbcd',
      (id) => ({ connect: [at(id('e'), { after: id('a') }), at(id('f'), { after: id('e') })] }),
    ],
    [
      'at the start, twice, puts the second first',
      'feabcd',
      (id) => ({ connect: [at(id('e'), { start: true }), at(id('f'), { start: true })] }),
    ],
    [
      'of one that is disconnected and connected is new',
      'bcda',
      (id) => ({ disconnect: [id('a')], connect: [id('a')] }),
    ],
    ['that is unknown is the end', 'abcde', (id) => ({ connect: [at(id('e'), { middle: true })] })],
    ['that is a text is the end', 'bcda', (id) => ({ connect: [{ documentId: id('a'), position: 'start' }] })],
  ])('%s', async (_, order, change) => {
    expect(await orderAfter(change)).toBe(order);
  });

  it.each([
    ['start', 400],
    [5, 400],
    [[], 400],
    ['', 200],
    [null, 200],
  ])('of a target that is connected twice, such as %j, get the status %i', async (position, status) => {
    const [documentId = ''] = await several('tags', 1);
    const article = await create('articles');
    const tags = { connect: [{ documentId }, { documentId, position }] };
    expect((await client.update(`/api/articles/${article.documentId}`, { tags })).status).toBe(status);
  });

  it('next to what is nowhere are refused, and nothing is connected', async () => {
    const [a = '', b = ''] = await several('tags', 2);
    const { documentId } = await create('articles', { tags: [] });
    const { status } = await client.update(`/api/articles/${documentId}`, {
      tags: { connect: [at(a, { after: b })] },
    });
    expect(status).toBe(400);
    expect(await tagsOf(documentId, 'draft')).toEqual([]);
  });
});

describe('a link from a type without drafts', () => {
  /** A tag and two articles; articles link it in `?status`. */
  async function tagged(aStatus: string, bStatus: string) {
    const a = (await create('articles', {}, `?status=${aStatus}`)).documentId;
    const b = (await create('articles', {}, `?status=${bStatus}`)).documentId;
    const tag = (await create('tags')).documentId;
    const link = (change: 'connect' | 'disconnect', status: string) =>
      documentOf(client.update(`/api/articles/${a}?status=${status}`, { tags: { [change]: [tag] } }));
    const connect = (position: object, status = 'draft') =>
      client.update(`/api/tags/${tag}?status=${status}`, { articles: { connect: [{ documentId: b, position }] } });
    const namesOf = async (status: string) => {
      const { articles } = await documentOf(client.get(`/api/tags/${tag}?populate=articles&status=${status}`));
      return idsOf(articles).map((id) => (id === a ? 'a' : 'b'));
    };
    return { a, link, connect, namesOf };
  }

  it.each([
    ['draft', 'draft', []],
    ['published', 'draft', []],
    ['draft', 'published', ['b']],
    ['published', 'published', ['b']],
  ])('is placed beside a draft that links the document alone (%s and %s)', async (aStatus, bStatus, published) => {
    const { a, link, connect, namesOf } = await tagged(aStatus, bStatus);
    await link('connect', 'draft');
    await documentOf(connect({ before: a }, bStatus));
    expect([await namesOf('draft'), await namesOf('published')]).toEqual([['b', 'a'], published]);
    await documentOf(connect({ after: a }, bStatus));
    expect([await namesOf('draft'), await namesOf('published')]).toEqual([['a', 'b'], published]);
  });

  it('is rejected beside one that only its published version links', async () => {
    const { a, link, connect, namesOf } = await tagged('published', 'published');
    await link('connect', 'published');
    await link('disconnect', 'draft');
    expect((await errorOf(connect({ after: a }))).message).toMatch(/needs to be connected first/);
    expect([await namesOf('draft'), await namesOf('published')]).toEqual([[], ['a']]);
  });
});

describe('a link from a type without locales', () => {
  /** Two articles in English and French, and an issue that links the first in both. */
  async function linked() {
    const [a = '', b = ''] = await several('articles', 2);
    for (const id of [a, b]) await documentOf(client.update(`/api/articles/${id}?locale=fr`, { title: 'Titre' }));
    const picks = [
      { documentId: a, locale: 'en' },
      { documentId: a, locale: 'fr' },
    ];
    const issue = `/api/issues/${(await create('issues', { picks })).documentId}`;
    const pick = async (value: object) => await client.update(issue, { picks: value });
    const picked = async () => {
      const found = (await documentOf(client.get(`${issue}?populate=picks`))).picks as ApiDocument[];
      return found.map(({ documentId, locale }) => `${documentId === a ? 'a' : 'b'} ${locale}`);
    };
    return { a, b, pick, picked };
  }

  it('is placed beside the anchor in its own locale, unless the position names another', async () => {
    const { a, b, pick, picked } = await linked();
    await documentOf(pick({ connect: [{ documentId: b, locale: 'fr', position: { before: a } }] }));
    expect(await picked()).toEqual(['a en', 'b fr', 'a fr']);
    await documentOf(pick({ connect: [{ documentId: b, locale: 'fr', position: { before: a, locale: 'en' } }] }));
    expect(await picked()).toEqual(['b fr', 'a en', 'a fr']);
    await documentOf(pick({ connect: [{ documentId: b, position: { after: a } }] }));
    expect(await picked()).toEqual(['b fr', 'a en', 'b en', 'a fr']);
  });

  it('is rejected beside what has no version in its locale, or is not linked in it', async () => {
    const { a, b, pick, picked } = await linked();
    const { documentId: english } = await create('articles');
    const messageBefore = async (before: string) =>
      (await errorOf(pick({ connect: [{ documentId: a, locale: 'fr', position: { before } }] }))).message;
    expect(await messageBefore(english)).toBe(`Document with id "${english}", locale "fr" not found`);
    expect(await messageBefore(b)).toMatch(
      /at position \{"before":\d+\}\. The relation with id \d+ needs to be connected/,
    );
    expect(await picked()).toEqual(['a en', 'a fr']);
  });

  it.each(['', null, false, 0])('leads to the default locale for the locale %j', async (locale) => {
    const { b, pick, picked } = await linked();
    await documentOf(pick([{ documentId: b, locale }]));
    expect(await picked()).toEqual(['b en']);
  });

  it.each([5, true, {}, 'FR'])('is rejected for the locale %j', async (locale) => {
    const { b, pick } = await linked();
    const message = `Document with id "${b}", locale "${String(locale)}" not found`;
    for (const value of [[{ documentId: b, locale }], { disconnect: [{ documentId: b, locale }] }])
      expect(await errorOf(pick(value))).toMatchObject({ status: 400, message });
  });
});

describe('writers at once', () => {
  const connect = (path: string, attribute: string, id: string) =>
    client.update(path, { [attribute]: { connect: [id] } });

  it('that connect on the same side all find their target connected', async () => {
    const { documentId } = await create('articles');
    const tags = await several('tags', 4);
    const answers = await Promise.all(tags.map((tag) => connect(`/api/articles/${documentId}`, 'tags', tag)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([...(await tagsOf(documentId))].sort()).toEqual([...tags].sort());
    expect(await tagsOf(documentId, 'draft')).toEqual(await tagsOf(documentId));
  });

  it('that connect on the side that is not the owner all find theirs', async () => {
    const [tag = ''] = await several('tags', 1);
    const articles = await several('articles', 4);
    const answers = await Promise.all(articles.map((id) => connect(`/api/tags/${tag}`, 'articles', id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { articles: found } = await documentOf(client.get(`/api/tags/${tag}?populate=articles`));
    expect([...idsOf(found)].sort()).toEqual([...articles].sort());
  });

  it('that connect the same target store it once', async () => {
    const { documentId } = await create('articles');
    const [tag = ''] = await several('tags', 1);
    await Promise.all([1, 2, 3].map(() => connect(`/api/articles/${documentId}`, 'tags', tag)));
    expect(await tagsOf(documentId)).toEqual([tag]);
  });

  it('that take a one-to-one from each other leave it with one', async () => {
    const { documentId } = await create('articles');
    const issues = await several('issues', 4);
    const coverStory = { documentId, locale: 'en' };
    await Promise.all(issues.map((id) => client.update(`/api/issues/${id}`, { coverStory })));
    const { coverOf } = await documentOf(client.get(`/api/articles/${documentId}?populate=coverOf`));
    const holders = await client.get('/api/issues?filters[coverStory][id][$notNull]=true');
    const { data } = (await holders.json()) as { data: ApiDocument[] };
    expect(idsOf(data)).toEqual([(coverOf as ApiDocument).documentId]);
  });
});
