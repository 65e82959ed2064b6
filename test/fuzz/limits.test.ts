/**
 * @module What D1 takes: parameters, bytes and depth of the statements that queries compile to, proved by D1 itself.
 * What is too much for it is refused with the name of a limit.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { EVERYTHING, type Grants, roleGrants, ruleOf } from '../../src/access/grants.ts';
import { ApiError } from '../../src/common/errors.ts';
import { hasFacet } from '../../src/content/plan/read/facets.ts';
import { planList } from '../../src/content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../src/content/request/query-params.ts';
import { parseQueryString } from '../../src/content/request/query-string.ts';
import { compileRead } from '../../src/content/sql/read/select.ts';
import { isPage, type Statement } from '../../src/content/sql/statement.ts';
import { isHidden } from '../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { queryOn, type Size, searchOf } from '../generators/queries.ts';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf, type ErrorAnswer } from '../support/client.ts';
import { createToken } from '../support/recorded.ts';
import { recordedRegistry, typeAt } from '../support/recorded-registry.ts';
import { contentType, registryOf, relation } from '../support/schema-files.ts';
import { wideRegistry, wideType } from '../support/worlds/wide.ts';
import { parameters, progress, timeout } from './options.ts';
import { askingOf } from './queries.ts';

/** As many texts as a list of a query string can have: the compiler stays inside D1's limits without this one. */
const settings = parseSettings({
  api: { rest: { limits: { searchedTexts: 2_000 } } },
  i18n: {
    locales: [
      { code: 'en', name: 'en', isDefault: true },
      { code: 'fr', name: 'fr', fallback: ['en'] },
      { code: 'de', name: 'de', fallback: ['fr', 'en'] },
    ],
  },
  roles: {
    reader: [
      { action: 'api::page.page.find', where: { $or: [{ format: 'a' }, { parent: { parent: { format: 'a' } } }] } },
    ],
  },
});
const MAX_PARAMETERS = 100;
const MAX_BYTES = 100_000;
const CONDITIONS = settings.api.rest.limits.conditions;

beforeAll(async () => {
  await createRegistryTables(recordedRegistry);
  await createRegistryTables(wideRegistry);
  await createRegistryTables(searchedRegistry);
  await createToken('full', 'full-access');
});

/** The statements of a list; none when the query is refused. */
function statementsOf(
  search: string,
  type: ContentType,
  registry: Registry,
  grants: Grants = EVERYTHING,
): readonly Statement[] {
  try {
    const raw = parseQueryString(search, settings.api.rest.limits);
    const reader = { registry, settings, grants, rule: ruleOf(grants, type.uid, 'find') };
    return compileRead(planList(parseQueryParams(raw, 'list', settings), type, reader)).statements;
  } catch (error) {
    if (error instanceof ApiError && error.problem.kind === 'validation') return [];
    throw error;
  }
}

/** A parameter at these places makes SQLite prepare the statement anew for each value. */
const PREPARED_ANEW = /\b(like|glob|limit|offset) \?/;

async function checkAll(statements: readonly Statement[]): Promise<void> {
  for (const { sql, params } of statements) {
    expect(sql).not.toMatch(PREPARED_ANEW);
    expect(params.length).toBeLessThanOrEqual(MAX_PARAMETERS);
    expect(new TextEncoder().encode(sql).length).toBeLessThanOrEqual(MAX_BYTES);
  }
  if (statements.length > 0)
    await env.DB.batch(statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));
}

/** The same part over and over. */
const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('&');

const nestedGroups = (levels: number, lists: number, keys: readonly string[]): string => {
  const prefixes = Array.from({ length: levels }, (_, level) => `filters${'[$and][0]'.repeat(level)}`);
  return [...prefixes]
    .reverse()
    .flatMap((prefix) => [
      ...Array.from({ length: lists }, (_, index) => `${prefix}[$and][${index}][sku]=1`),
      ...keys.map((key) => `${prefix}[${key}]=1`),
    ])
    .join('&');
};

const SCALARS = [
  'price',
  'rating',
  'readingTime',
  'views',
  'featured',
  'premium',
  'slug',
  'subtitle',
  'summary',
  'body',
];

const author = '[author][articles]';

const articles = typeAt('articles');
const COUNTED = [...articles.attributes.values()]
  .filter((each) => hasFacet(each) && !isHidden(each))
  .map(({ name }) => name);
const FACETS = `facets=${COUNTED.slice(0, 10)}`;

/** Large queries that people have reason to send; D1 takes them. */
const ACCEPTED: readonly (readonly [string, string])[] = [
  ['as many conditions as may be', repeated(CONDITIONS, (index) => `filters[$or][${index}][slug]=a`)],
  ['2,000 values', repeated(2_000, (index) => `filters[slug][$contains]=${index}`)],
  ['2,000 excluded values', repeated(2_000, (index) => `filters[slug][$notIn][]=${index}`)],
  ['20 sort terms through relations', `sort=${Array.from({ length: 20 }, () => 'author.name').join(',')}`],
  ['20 conditions on what is populated', repeated(20, (index) => `populate[tags][filters][$or][${index}][name]=a`)],
  [
    'as many conditions on what is populated and counted',
    `populate[tags][withCount]=true&${repeated(CONDITIONS, (index) => `populate[tags][filters][$or][${index}][articles][title]=a`)}`,
  ],
  ['groups in groups', nestedGroups(9, 11, SCALARS)],
  ['larger groups in groups', nestedGroups(7, 17, SCALARS)],
  ['nine groups in each other', `filters${'[$and][0]'.repeat(9)}[title]=a`],
  ['four relations in each other', `filters${author.repeat(2)}[title][$contains]=a`],
  ['four negated relations in each other', `filters${'[$not][author][$not][articles]'.repeat(2)}[title]=a`],
  ['sorted by what four relations lead to', 'sort=author.articles.author.articles.title'],
  [
    'ten facets of as many conditions as may be',
    `${FACETS}&${repeated(CONDITIONS, (index) => `filters[$or][${index}][slug]=a`)}`,
  ],
  ['populated four deep', `populate${'[author][populate][articles][populate]'.repeat(2)}=tags`],
];

/** Queries at the edge, which may be too much. */
const EDGES: readonly (readonly [string, string])[] = [
  [
    'as many conditions as may be, of four values',
    repeated(4 * CONDITIONS, (index) => `filters[$or][${index % CONDITIONS}][slug][$eqi]=a`),
  ],
  ['the same on JSON', repeated(4 * CONDITIONS, (index) => `filters[$or][${index % CONDITIONS}][extra][$ne]=a`)],
  [
    'the same through relations',
    repeated(CONDITIONS, (index) => `filters[$or][${index}][author][articles][tags][name]=a`),
  ],
  [
    'facets of conditions through relations',
    `${FACETS}&${repeated(CONDITIONS, (index) => `filters[$or][${index}][author][articles][tags][name]=a`)}`,
  ],
  ['eight relations in each other', `filters${author.repeat(4)}[title][$contains]=a`],
  ['eight negated relations in each other', `filters${'[$not][author][$not][articles]'.repeat(4)}[title]=a`],
  ['sorted by what 18 relations lead to', `sort=${'author.articles.'.repeat(9)}title`],
  [
    'filters of growing depth in what is populated',
    repeated(8, (index) => `populate[tags][filters]${`[articles][tags]`.repeat(index)}[name]=a`),
  ],
];

/** As many texts as a search may look into, with long names, and each its own weight among five. */
const searchedNames = Array.from({ length: 40 }, (_, index) => `what_the_editors_call_text_number_${index}`);
const searchedRegistry = registryOf(
  [
    contentType(
      'page',
      {
        ...Object.fromEntries(searchedNames.map((name) => [name, { type: 'text' }])),
        format: { type: 'enumeration', enum: ['a', 'b'] },
        parent: relation('manyToOne', 'page'),
      },
      { drafts: true, localized: true },
    ),
  ],
  [],
  {},
  { search: { 'api::page.page': Object.fromEntries(searchedNames.map((name, index) => [name, 1 + (index % 5)])) } },
);
const pages = typeAt('pages', searchedRegistry);
/** Words of letters, which are also looked for with another letter. */
const WORDS = `search=${[...'abcdefghij'].map((letter) => `lighthouses${letter}`).join(' ')}`;

const SEARCHES: readonly (readonly [string, string])[] = [
  ['ten long words', WORDS],
  ['the next page of it', `${WORDS}&pagination[start]=25&pagination[limit]=25`],
  ['its pages by cursor', `${WORDS}&pagination[after]=&pagination[limit]=25`],
  ['sorted by other values', `${WORDS}&sort=${searchedNames.slice(0, 5)},_rank`],
  ['of a chain of locales', `${WORDS}&locale=de&fallback=true`],
  ['of a chain of locales, with its total', `${WORDS}&locale=de&fallback=true&pagination[withCount]=true`],
  ['of all locales, with facets', `${WORDS}&locale=*&facets=format`],
  ['with conditions', `${WORDS}&${repeated(50, (index) => `filters[$or][${index}][${searchedNames[index % 40]}]=a`)}`],
];

it.each(SEARCHES)('a search of %s: D1 takes it, of a role with conditions and measured, too', async (_, search) => {
  for (const grants of [EVERYTHING, roleGrants(settings, 'reader')]) {
    const statements = statementsOf(search, pages, searchedRegistry, grants);
    const measured = statements.flatMap((each) => (isPage(each) ? (each.measured?.() ?? []) : []));
    expect(measured.length).toBe(2);
    await checkAll([...statements, ...measured]);
  }
});

it('a search of pages that follow each other: D1 takes it', async () => {
  const client = clientOf(serveRegistry(searchedRegistry), 'full');
  const text = WORDS.slice('search='.length);
  const found: unknown[] = [];
  for (const name of searchedNames.slice(0, 3)) await documentOf(client.create('/api/pages', { [name]: text }));
  for (let after: string | null = ''; after !== null; ) {
    const page = await client.get(`/api/pages?${WORDS}&pagination[limit]=1&pagination[after]=${after}`);
    const { data, meta } = await page.json<{ data: object[]; meta: { pagination: { next: string | null } } }>();
    found.push(...data);
    after = meta.pagination.next;
  }
  expect(found).toMatchObject([2, 1, 0].map((index) => ({ [searchedNames[index] ?? '']: text })));
});

it.each(ACCEPTED)('%s: D1 takes it', async (_, search) => {
  const statements = statementsOf(search, articles, recordedRegistry);
  expect(statements.length).toBeGreaterThan(0);
  await checkAll(statements);
});

const clients = {
  recorded: clientOf(serveRegistry(recordedRegistry), 'full'),
  wide: clientOf(serveRegistry(wideRegistry), 'full'),
};

/** Answered, or refused with the name of the limit that was passed. */
async function checkAnswer(search: string, type: ContentType, registry: Registry): Promise<void> {
  for (const { params } of statementsOf(search, type, registry))
    expect(params.length).toBeLessThanOrEqual(MAX_PARAMETERS);
  const client = registry === wideRegistry ? clients.wide : clients.recorded;
  const response = await client.get(`/api/${type.pluralName}?${search}`);
  if (response.status === 200) return;
  const { error } = (await response.json()) as { error: ErrorAnswer };
  expect(error).toMatchObject({ status: 400, details: { limit: expect.any(String) } });
}

it.each(EDGES)('%s: answered or refused by the name of a limit', async (_, search) => {
  await checkAnswer(search, articles, recordedRegistry);
});

const ORDINARY: readonly Size[] = [
  { depth: 2, width: 4, list: 4 },
  { depth: 3, width: 2, list: 1_000 },
  { depth: 1, width: 40, list: 10 },
];
const EXTREME: readonly Size[] = [
  { depth: 8, width: 2, list: 2 },
  { depth: 4, width: 6, list: 1_000 },
];

const COLLECTIONS = [...recordedRegistry.routes.values()].filter(({ kind }) => kind === 'collectionType');

const queriesOf = (sizes: readonly Size[]) =>
  fc
    .tuple(fc.constantFrom(...COLLECTIONS, wideType, wideType, wideType), fc.constantFrom(...sizes))
    .chain(([type, size]) => {
      const registry = type === wideType ? wideRegistry : recordedRegistry;
      return queryOn(type, askingOf(registry), size).map((query) => ({ uid: type.uid, search: searchOf(query) }));
    });

function modelOf(uid: string): readonly [ContentType, Registry] {
  return uid === wideType.uid
    ? [wideType, wideRegistry]
    : [recordedRegistry.contentTypes.get(uid) ?? articles, recordedRegistry];
}

it('ordinary queries: D1 takes them', { timeout }, async () => {
  const tick = progress('ordinary queries');
  let compiled = 0;
  const property = fc.asyncProperty(queriesOf(ORDINARY), async ({ uid, search }) => {
    const statements = statementsOf(search, ...modelOf(uid));
    if (statements.length > 0) compiled += 1;
    await checkAll(statements);
    tick();
  });
  const chosen = parameters('ordinary queries');
  await fc.assert(property, chosen);
  // One that is rejected has no statements.
  expect(compiled).toBeGreaterThan(chosen.numRuns / 2);
});

it('extreme queries: answered or refused by the name of a limit', { timeout }, async () => {
  const tick = progress('extreme queries');
  const property = fc.asyncProperty(queriesOf(EXTREME), async ({ uid, search }) => {
    await checkAnswer(search, ...modelOf(uid));
    tick();
  });
  await fc.assert(property, parameters('extreme queries'));
});
