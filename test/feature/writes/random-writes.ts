/**
 * @module Writes of every kind to a handful of documents of the recorded model, drawn by chance.
 */
import type { ApiDocument, Client } from '../../support/client.ts';
import type { Dice } from '../../support/dice.ts';

/** Collections that are written to; the handful of documents of each is what is known of it. */
const ROUTES = ['articles', 'articles', 'articles', 'issues', 'tags', 'authors', 'categories', 'comments'] as const;
type Route = (typeof ROUTES)[number];

/** What writers know together: documents come and go while they write. */
export interface Pool {
  readonly documents: Readonly<Record<Route, string[]>>;
  /** For values that must differ. */
  serial: number;
}

export const emptyPool = (): Pool => ({
  documents: { articles: [], issues: [], tags: [], authors: [], categories: [], comments: [] },
  serial: 0,
});

const DOCUMENTS_OF_A_TYPE = 4;

interface Writer {
  readonly client: Client;
  readonly dice: Dice;
  readonly pool: Pool;
}

type Data = Record<string, unknown>;

const known = ({ dice, pool }: Writer, route: Route): string => {
  const documents = pool.documents[route];
  return documents[dice.below(documents.length)] ?? 'nobody';
};

const some = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

function position(writer: Writer, route: Route): Data {
  const { dice } = writer;
  return dice.pick<Data>([
    { start: true },
    { end: true },
    { before: known(writer, route) },
    { after: known(writer, route) },
    {},
  ]);
}

/** A relation to many, in one of the forms a body may use. */
function many(writer: Writer, route: Route): unknown {
  const { dice } = writer;
  const names = () => some(dice.below(3) + 1, () => known(writer, route));
  const placed = () => names().map((documentId) => ({ documentId, position: position(writer, route) }));
  return dice.pick<() => unknown>([
    () => ({ connect: placed() }),
    () => ({ connect: placed(), disconnect: names() }),
    () => ({ connect: names() }),
    () => ({ disconnect: names() }),
    () => ({ set: names() }),
    () => names(),
    () => [],
  ])();
}

function one(writer: Writer, route: Route): unknown {
  const name = known(writer, route);
  return writer.dice.pick<unknown>([name, { connect: [name] }, { disconnect: [name] }, { set: [name] }, null]);
}

const link = ({ dice }: Writer): Data => ({ label: `label ${dice.below(9)}`, href: '/' });
const quote = (writer: Writer): Data => ({
  __component: 'blocks.quote',
  text: 'said',
  speaker: known(writer, 'authors'),
});
const callout = (writer: Writer): Data => ({
  __component: 'blocks.callout',
  title: 'Callout',
  articles: [known(writer, 'articles')],
  card: { title: 'Card', person: known(writer, 'authors'), link: link(writer) },
});

const newComponents = (writer: Writer): Data =>
  writer.dice.pick<Data>([
    { links: some(writer.dice.below(3), () => link(writer)) },
    { facts: some(writer.dice.below(3) + 1, () => ({ label: 'fact', source: link(writer) })) },
    { sections: some(writer.dice.below(3), () => writer.dice.pick([quote, callout])(writer)) },
    {
      seo: { metaTitle: 'Seo', card: { title: 'Card', person: known(writer, 'authors') }, alternates: [link(writer)] },
    },
    { seo: null },
  ]);

function edited(writer: Writer, value: unknown): unknown {
  const { dice } = writer;
  if (!Array.isArray(value)) return value;
  const kept = value
    .filter(() => !dice.once(4))
    .map(({ id, __component }: Data) => ({ id, ...(__component !== undefined && { __component }) }));
  if (dice.once(2)) kept.reverse();
  return kept;
}

/** Components of the draft as another writer may have left them meanwhile: kept, left out, put in another order. */
async function componentEdit(writer: Writer, path: string, search: string): Promise<Data> {
  const response = await writer.client.get(`${path}?${search}&status=draft&populate=links,facts,sections`);
  if (response.status !== 200) return {};
  const { data } = (await response.json()) as { data: ApiDocument };
  const name = writer.dice.pick(['links', 'facts', 'sections']);
  const list = edited(writer, data[name]) as Data[];
  if (name === 'links' && writer.dice.once(2)) list.push(link(writer));
  return name === 'facts' && list.length === 0 ? {} : { [name]: list };
}

function scalarsOf(route: Route, { dice, pool }: Writer): Data {
  pool.serial += 1;
  const { serial } = pool;
  switch (route) {
    case 'articles':
      return {
        title: `Article ${serial}`,
        price: dice.below(100),
        ...(dice.once(3) && { code: `code ${dice.below(5)}` }),
      };
    case 'issues':
      return { title: `Issue ${serial}`, number: serial };
    case 'comments':
      return { text: `Comment ${serial}` };
    case 'categories':
      return { name: `Category ${serial}`, position: dice.below(9) };
    default:
      return { name: `Name ${serial}` };
  }
}

function relationsOf(route: Route, writer: Writer): Data {
  const { dice } = writer;
  switch (route) {
    case 'articles':
      return dice.pick<() => Data>([
        () => ({ tags: many(writer, 'tags') }),
        () => ({ related: many(writer, 'articles') }),
        () => ({ relatedFrom: many(writer, 'articles') }),
        () => ({ categories: many(writer, 'categories') }),
        () => ({ author: one(writer, 'authors'), comments: many(writer, 'comments') }),
        () => ({ coverOf: one(writer, 'issues') }),
        () => ({ primaryCategory: one(writer, 'categories') }),
      ])();
    case 'issues':
      return dice.pick<() => Data>([
        () => ({ coverStory: one(writer, 'articles') }),
        () => ({ previous: one(writer, 'issues') }),
        () => ({ next: one(writer, 'issues'), editor: one(writer, 'authors') }),
        () => ({ picks: many(writer, 'articles') }),
      ])();
    case 'categories':
      return dice.pick<() => Data>([
        () => ({ parent: one(writer, 'categories') }),
        () => ({ children: many(writer, 'categories'), articles: many(writer, 'articles') }),
      ])();
    case 'comments':
      return { article: one(writer, 'articles'), by: one(writer, 'authors') };
    default:
      return { articles: many(writer, 'articles') };
  }
}

const localized = (route: Route): boolean => route === 'articles' || route === 'categories';

function searchOf(route: Route, { dice }: Writer): string {
  const locale = localized(route) && dice.once(3) ? `locale=${dice.pick(['en', 'fr', 'de'])}` : '';
  return [locale, dice.once(3) ? 'status=draft' : ''].filter((part) => part !== '').join('&');
}

async function create(writer: Writer, route: Route): Promise<Response> {
  const { dice, pool, client } = writer;
  const data = { ...scalarsOf(route, writer), ...(dice.once(2) && relationsOf(route, writer)) };
  const components = route === 'articles' ? newComponents(writer) : {};
  const response = await client.create(`/api/${route}?${searchOf(route, writer)}`, { ...data, ...components });
  if (response.ok)
    pool.documents[route].push(((await response.clone().json()) as { data: ApiDocument }).data.documentId);
  return response;
}

async function update(writer: Writer, route: Route): Promise<Response> {
  const { dice, client } = writer;
  const path = `/api/${route}/${known(writer, route)}`;
  const search = searchOf(route, writer);
  const data = dice.once(3) ? scalarsOf(route, writer) : {};
  const components =
    route !== 'articles' || dice.once(2)
      ? {}
      : dice.once(2)
        ? newComponents(writer)
        : await componentEdit(writer, path, search);
  return client.update(`${path}?${search}`, {
    ...data,
    ...(dice.below(3) > 0 && relationsOf(route, writer)),
    ...components,
  });
}

function remove(writer: Writer, route: Route): Promise<Response> {
  const documentId = known(writer, route);
  const locale = localized(route) ? writer.dice.pick(['', '?locale=fr', '?locale=*']) : '';
  const documents = writer.pool.documents[route];
  if (locale !== '?locale=fr' && documents.includes(documentId)) documents.splice(documents.indexOf(documentId), 1);
  return writer.client.remove(`/api/${route}/${documentId}${locale}`);
}

function single(writer: Writer): Promise<Response> {
  const { dice, client } = writer;
  const search = dice.pick(['', '?locale=fr', '?status=draft']);
  if (dice.once(4)) return client.remove(`/api/homepage${search === '?status=draft' ? '' : search}`);
  const data = { heading: `Heading ${dice.below(9)}`, featuredArticles: many(writer, 'articles') };
  return client.update(`/api/homepage${search}`, {
    ...data,
    sections: [quote(writer)],
    ...(dice.once(2) && { theme: 'dark' }),
  });
}

/** One write. */
export function randomWrite(writer: Writer): Promise<Response> {
  const { dice, pool } = writer;
  if (dice.once(15)) return single(writer);
  const route = dice.pick(ROUTES);
  const { length } = pool.documents[route];
  if (length < 2 || (length < DOCUMENTS_OF_A_TYPE && dice.once(2))) return create(writer, route);
  return dice.once(5) ? remove(writer, route) : update(writer, route);
}
