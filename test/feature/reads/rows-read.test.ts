/**
 * @module What a request reads does not grow with what else is stored: no statement of it scans a table.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentType } from '../../../src/schema/model.ts';
import { linkTable } from '../../../src/schema/names.ts';
import { type Client, clientOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { createTables, createToken, recordedRegistry, serve } from '../../support/recorded.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

const OTHERS = 1_500;
/** A few rows more for the deeper trees of the indexes, and for what the worlds differ in. */
const SLACK = 20;

type Ask = (client: Client, of: Names) => Promise<Response>;

const REQUESTS: readonly (readonly [string, Ask])[] = [
  ['list', (to) => to.get('/api/articles?pagination[pageSize]=2&pagination[withCount]=false')],
  ['list with its total', (to) => to.get('/api/tags?pagination[pageSize]=2')],
  ['document with everything', (to, of) => to.get(`/api/articles/${of.second}?populate=*`)],
  ['document of a type without drafts', (to, of) => to.get(`/api/tags/${of.tag}?populate[articles][populate]=*`)],
  ['list by documentId', (to, of) => to.get(`/api/articles?filters[documentId][$in]=${of.first}`)],
  ['list by a unique attribute', (to) => to.get('/api/articles?filters[slug]=nothing')],
  ['document by a unique attribute', (to) => to.get('/api/issues/number:1?populate=*')],
  ['list by a relation', (to, of) => to.get(`/api/articles?filters[author][documentId]=${of.author}`)],
  ['list by a relation of the other side', (to, of) => to.get(`/api/tags?filters[articles][documentId]=${of.first}`)],
  ['list in every locale', (to, of) => to.get(`/api/articles?locale=*&filters[documentId]=${of.first}`)],
  ['other locales', (to, of) => to.get(`/api/articles/${of.first}?populate=localizations`)],
  ['update of a type without drafts', (to, of) => to.update(`/api/tags/${of.tag}`, { name: crypto.randomUUID() })],
  [
    'update from the other side',
    (to, of) => to.update(`/api/tags/${of.tag}`, { articles: { connect: [of.second], disconnect: [of.first] } }),
  ],
  ['update of one attribute', (to, of) => to.update(`/api/articles/${of.first}`, { price: 5 })],
  ['update of a draft', (to, of) => to.update(`/api/articles/${of.first}?status=draft`, { price: 6 })],
  [
    'update of relations, media and components',
    (to, of) =>
      to.update(`/api/articles/${of.first}`, {
        tags: [of.tag],
        cover: 'file',
        author: of.author,
        seo: { metaTitle: 'Seo', shareImage: 'file' },
      }),
  ],
  ['update that takes from another', (to, of) => to.update(`/api/issues/${of.issue}`, { coverStory: of.second })],
  ['update that takes back', (to, of) => to.update(`/api/articles/${of.first}`, { coverOf: of.issue })],
  ['new locale', (to, of) => to.update(`/api/articles/${of.second}?locale=de`, { title: 'Deutsch' })],
  [
    'create with relations',
    (to, of) => to.create('/api/articles', { title: 'New', tags: [of.tag], author: of.author, cover: 'file' }),
  ],
  ['create of a type without drafts', (to, of) => to.create('/api/comments', { text: 'New', article: of.first })],
  ['delete of one locale', (to, of) => to.remove(`/api/articles/${of.second}?locale=de`)],
  ['delete of a document', (to, of) => to.remove(`/api/articles/${of.second}?locale=*`)],
  ['delete from a type without drafts', (to, of) => to.remove(`/api/comments/${of.comment}`)],
];

/** Documents that no request is about, each with a link to the one before it in every relation. */
async function insertOthers(type: ContentType): Promise<void> {
  const locale = type.localized ? 'en' : '';
  const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${OTHERS}) insert into "${type.table}" (document_id, locale, published_at, created_at, updated_at) select 'other' || i, '${locale}', `;
  const versions = type.draftAndPublish ? ['null', '1'] : ['1'];
  await env.DB.batch(versions.map((published) => env.DB.prepare(`${rows}${published}, 1, 1 from n`)));
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'media' && !(attribute.kind === 'relation' && attribute.owner)) continue;
    const target = attribute.kind === 'media' ? undefined : recordedRegistry.contentTypes.get(attribute.target);
    const far = target?.localized ? 'en' : '';
    await env.DB.prepare(
      `insert into "${linkTable(type.table, attribute.name)}" (source_document_id, source_locale, target_document_id, target_locale, status, position, inverse_position) select document_id, locale, 'other' || (cast(substr(document_id, 6) as integer) - 1), '${far}', iif(published_at is null, 'draft', 'published'), 1, 1 from "${type.table}" where document_id like 'other%'`,
    ).run();
  }
}

const types = [...recordedRegistry.contentTypes.values()].filter(({ kind }) => kind === 'collectionType');

/** Title → SQL of its statements → rows they read, in a world of their own, whose issue has this number. */
async function measured(number: number): Promise<Map<string, Map<string, number>>> {
  const world = await createPopulatedWorld(clientOf(serve(), 'full'), number);
  const figures = new Map<string, Map<string, number>>();
  for (const [title, ask] of REQUESTS) {
    const { database, rowsRead } = countedDatabase(env.DB);
    const response = await ask(clientOf(serve({}, { DB: database }), 'full'), world);
    if (response.status >= 300) throw new Error(`${title}: ${response.status} ${await response.text()}`);
    figures.set(title, rowsRead);
  }
  return figures;
}

describe('what is read stays the same when thousands of other documents are stored', () => {
  let few: Map<string, Map<string, number>>;
  let many: Map<string, Map<string, number>>;

  beforeAll(async () => {
    await createTables();
    await createToken('full', 'full-access');
    few = await measured(1);
    for (const type of types) await insertOthers(type);
    many = await measured(2);
  });

  it.each(REQUESTS.map(([title]) => title))('%s', (title) => {
    const before = few.get(title) ?? new Map<string, number>();
    const scans = [...(many.get(title) ?? [])].filter(([sql, rows]) => rows > (before.get(sql) ?? 0) + SLACK);
    expect(before.size).toBeGreaterThan(0);
    expect(scans).toEqual([]);
  });
});
