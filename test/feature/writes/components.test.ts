/**
 * @module Components under odd input: ids that belong elsewhere, depths that no schema has, relations to what is gone.
 */
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { everything } from '../../support/everything.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

interface Instance {
  readonly id: number;
  readonly [attribute: string]: unknown;
}
type Held = Readonly<Record<'links' | 'facts' | 'sections', readonly Instance[]>> & { readonly seo: Instance };

const POPULATE =
  'populate[links]=true&populate[facts][populate]=*&populate[sections][populate]=*&populate[seo][populate][card][populate]=*&populate[seo][populate][alternates]=true';

const FULL = {
  links: [
    { label: 'a', href: '/a' },
    { label: 'b', href: '/b' },
  ],
  facts: [{ label: 'one', source: { label: 's', href: '/s' } }, { label: 'two' }],
  sections: [
    { __component: 'blocks.quote', text: 'q' },
    { __component: 'blocks.callout', title: 'c', card: { title: 'd', link: { label: 'l', href: '/l' } } },
  ],
  seo: { metaTitle: 'Seo', card: { title: 'Card' }, alternates: [{ label: 'x', href: '/x' }] },
};

const create = async (data: object = FULL): Promise<string> =>
  (await documentOf(client.create('/api/articles', { title: 'Article', ...data }))).documentId;
const held = async (documentId: string, search = 'status=draft'): Promise<Held> =>
  (await documentOf(client.get(`/api/articles/${documentId}?${POPULATE}&${search}`))) as ApiDocument & Held;
const update = (documentId: string, data: object, search = '') =>
  client.update(`/api/articles/${documentId}?${POPULATE}${search}`, data);

/** The instance at a place; a test that names a place where there is none is wrong itself. */
function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}
const inner = (instance: Instance, name: string): Instance => instance[name] as Instance;

afterEach(async () => {
  expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
});

describe('an id is refused, and nothing is stored, when it is that of', () => {
  type Input = (own: Held, other: Held, published: Held) => object;
  const cases: readonly (readonly [string, Input])[] = [
    ['a component of another document', (_, other) => ({ links: [{ id: at(other.links, 0).id }] })],
    ['a single component of another document', (_, other) => ({ seo: { id: other.seo.id } })],
    ['the published version', (_, __, published) => ({ links: [{ id: at(published.links, 0).id }] })],
    ['another attribute', (own) => ({ facts: [{ id: at(own.links, 0).id }] })],
    ['a component that stands deeper', (own) => ({ links: [{ id: inner(at(own.facts, 0), 'source').id }] })],
    [
      'a component that stands higher',
      (own) => ({ facts: [{ id: at(own.facts, 0).id, source: { id: at(own.links, 0).id } }] }),
    ],
    [
      'a neighbour of its owner',
      (own) => ({ facts: [{ id: at(own.facts, 1).id, source: { id: inner(at(own.facts, 0), 'source').id } }] }),
    ],
    ['nothing', () => ({ links: [{ id: 4_711 }] })],
    ['nothing, as null', () => ({ links: [{ id: null, label: 'x', href: 'h' }] })],
    ['nothing, as a text', () => ({ links: [{ id: 'x' }] })],
    ['an object', () => ({ links: [{ id: {} }] })],
  ];

  it.each(cases)('%s', async (_, input) => {
    const [documentId, other] = [await create(), await create()];
    const data = input(await held(documentId), await held(other), await held(documentId, ''));
    const before = await everything(recordedRegistry);
    const { status, name, message } = await errorOf(update(documentId, data));
    expect({ status, name }).toEqual({ status: 400, name: 'ApplicationError' });
    expect(message).toMatch(/^Some of the provided components in \w+ are not related to the entity$/);
    expect(await everything(recordedRegistry)).toEqual(before);
  });

  it.each([
    ['another component of the zone', 'blocks.callout', 0],
    ['another document', 'blocks.quote', undefined],
  ])('%s, in a zone', async (_, uid, index) => {
    const documentId = await create();
    const sections = (await held(index === undefined ? await create() : documentId)).sections;
    const entry = { __component: uid, id: at(sections, index ?? 0).id, title: 'T', text: 't' };
    if (uid === 'blocks.quote') Reflect.deleteProperty(entry, 'title');
    else Reflect.deleteProperty(entry, 'text');
    const { status, name } = await errorOf(update(documentId, { sections: [entry] }));
    expect({ status, name }).toEqual({ status: 400, name: 'Error' });
  });

  it('a component of another locale', async () => {
    const documentId = await create();
    await update(documentId, { title: 'French', facts: [{ label: 'un' }] }, '&locale=fr');
    const { facts } = await held(documentId, 'status=draft&locale=fr');
    expect((await update(documentId, { facts: [{ id: at(facts, 0).id }] })).status).toBe(400);
  });
});

describe('what no schema has is refused', () => {
  const link = { label: 'l', href: '/' };
  it.each<[string, object, string]>([
    [
      'a component below the deepest',
      { seo: { metaTitle: 'S', card: { title: 'C', link: { ...link, link } } } },
      'Invalid key link at seo.card.link',
    ],
    ['a component in a component that has none', { links: [{ ...link, source: link }] }, 'Invalid key source at links'],
    ['a zone in a component', { seo: { metaTitle: 'S', sections: [] } }, 'Invalid key sections at seo'],
    ['a type in a component', { links: [{ ...link, __component: 'shared.link' }] }, 'Invalid key __component at links'],
  ])('%s', async (_, data, message) => {
    expect(await errorOf(client.create('/api/articles', { title: 'Deep', ...data }))).toMatchObject({
      status: 400,
      message,
    });
  });

  it('components in components, a hundred levels deep', async () => {
    const deep = Array.from({ length: 100 }).reduce<object>((card) => ({ title: 'T', card }), {});
    const { status, details } = await errorOf(client.create('/api/articles', { title: 'Deep', seo: deep }));
    expect({ status, limit: details?.limit }).toEqual({ status: 400, limit: 'bodyDepth' });
  });

  it('a list of components in a list', async () => {
    expect((await client.create('/api/articles', { title: 'Lists', links: [[link]] })).status).toBe(400);
  });

  it('a component that the zone may not hold', async () => {
    const sections = [{ __component: 'shared.link', ...link }];
    const document = await documentOf(client.create('/api/articles?populate=sections', { title: 'Zone', sections }));
    expect(document.sections).toEqual([]);
  });
});

describe('a component that is sent with its id', () => {
  it('keeps its id and what is not sent, at every depth', async () => {
    const documentId = await create();
    const { facts, seo } = await held(documentId);
    const fact = at(facts, 0);
    const source = { id: inner(fact, 'source').id, label: 'changed' };
    const data = { facts: [{ id: fact.id, source }], seo: { id: seo.id, card: { id: inner(seo, 'card').id } } };
    await update(documentId, data, '&status=draft');
    const after = await held(documentId);
    expect(after.facts).toEqual([{ ...fact, source: { ...inner(fact, 'source'), label: 'changed' } }]);
    expect(after.seo).toEqual(seo);
  });

  it('and put in another order keeps it', async () => {
    const documentId = await create();
    const { links } = await held(documentId);
    const reversed = [...links].reverse();
    await update(documentId, { links: reversed.map(({ id }) => ({ id })) }, '&status=draft');
    expect((await held(documentId)).links).toEqual(reversed);
  });

  it('twice is stored once', async () => {
    const documentId = await create();
    const { id } = at((await held(documentId)).links, 0);
    await update(
      documentId,
      {
        links: [
          { id, label: 'first' },
          { id, label: 'second' },
        ],
      },
      '&status=draft',
    );
    expect((await held(documentId)).links).toMatchObject([{ id, label: 'second' }]);
  });

  it('on create is a new one', async () => {
    const { links } = await held(await create());
    const documentId = await create({ links: links.map(({ id, label, href }) => ({ id, label, href })) });
    const ids = new Set((await held(documentId)).links.map(({ id }) => id));
    expect(links.some(({ id }) => ids.has(id))).toBe(false);
  });
});

describe('a relation of a component to a document that is deleted', () => {
  const author = async () => (await documentOf(client.create('/api/authors', { name: 'Speaker' }))).documentId;
  const quoteOf = async (search: string) => {
    const speaker = await author();
    const documentId = await create({
      sections: [{ __component: 'blocks.quote', text: 'q', speaker }],
      seo: { metaTitle: 'S', card: { title: 'C', person: speaker } },
    });
    await client.remove(`/api/authors/${speaker}`);
    return { documentId, speaker, document: await held(documentId, search) };
  };

  it.each(['', 'status=draft'])('is shown as none (%s)', async (search) => {
    const { document } = await quoteOf(search);
    expect(at(document.sections, 0).speaker).toBeNull();
    expect(inner(document.seo, 'card').person).toBeNull();
  });

  it('is not counted', async () => {
    const { documentId } = await quoteOf('');
    const search = 'populate[sections][on][blocks.quote][populate][speaker][count]=true';
    const { sections } = await documentOf(client.get(`/api/articles/${documentId}?${search}`));
    expect(sections).toMatchObject([{ speaker: { count: 0 } }]);
  });

  it('is found by no filter but that for none', async () => {
    const { documentId, speaker } = await quoteOf('');
    const own = `filters[documentId]=${documentId}&filters[seo][card][person]`;
    expect(await documentsOf(client.get(`/api/articles?${own}[documentId]=${speaker}`))).toEqual([]);
    expect(await documentsOf(client.get(`/api/articles?${own}[id][$notNull]=true`))).toEqual([]);
    expect(await documentsOf(client.get(`/api/articles?${own}[id][$null]=true`))).toHaveLength(1);
  });

  it('does not stand in the way of publication, and can be replaced', async () => {
    const { documentId, document } = await quoteOf('status=draft');
    const { id } = at(document.sections, 0);
    expect((await update(documentId, { title: 'Published' })).status).toBe(200);
    const speaker = await author();
    const section = { __component: 'blocks.quote', id, speaker };
    expect((await update(documentId, { sections: [section] })).status).toBe(200);
    expect(at((await held(documentId, '')).sections, 0)).toMatchObject({ text: 'q', speaker: { documentId: speaker } });
  });
});
