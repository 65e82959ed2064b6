/**
 * @module Locales and statuses behave as their model says, through any sequence of writes.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type ApiDocument, type Client, clientOf, documentOf, totalOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import {
  type Change,
  LOCALES,
  type Locale,
  removed,
  STATUSES,
  type Status,
  type Version,
  type Versions,
  written,
} from './locale-model.ts';

/** Two isolates, which write by turns. */
const isolates = [clientOf(serve(), 'full'), clientOf(serve(), 'full')] as const;
const [client] = isolates;
const FILES = ['first', 'second'] as const;

openMagazine();
beforeAll(async () => {
  const insert = `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, mime, size, url, provider) values (?1, '', 1, 1, 1, ?1, ?1, 'image/png', 1, '/a', 'r2')`;
  await env.DB.batch(FILES.map((name) => env.DB.prepare(insert).bind(name)));
});

const change: fc.Arbitrary<Change> = fc.record(
  {
    title: fc.constantFrom('One title', 'Another title', 'A third title'),
    price: fc.option(fc.nat(9)),
    attachment: fc.option(fc.constantFrom(...FILES)),
    links: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
  },
  { requiredKeys: ['title'] },
);

const locale = fc.constantFrom(...LOCALES);
const which = fc.nat(1);
const isolate = fc.nat(1);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant('write' as const),
      which,
      isolate,
      locale,
      status: fc.constantFrom(...STATUSES),
      change,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('remove' as const),
      which,
      isolate,
      locales: fc.oneof(fc.constant('*' as const), fc.subarray([...LOCALES], { minLength: 1 })),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A document as the test knows it; without an id as long as nothing was written. */
interface Known {
  documentId?: string;
  versions: Versions;
}

const bodyOf = ({ links, ...rest }: Change): object => ({
  ...rest,
  ...(links && { links: links.map((label) => ({ label, href: '/' })) }),
});

async function perform(known: Known, taken: Step): Promise<void> {
  const client = isolates[taken.isolate] as Client;
  const { documentId, versions } = known;
  const path = `/api/articles/${documentId}`;
  if (taken.verb === 'remove') {
    if (documentId === undefined) return;
    const search = [taken.locales].flat().map((name, _, all) => `locale${all.length > 1 ? '[]' : ''}=${name}`);
    expect((await client.remove(`${path}?${search.join('&')}`)).status).toBe(204);
    known.versions = removed(versions, taken.locales);
    return;
  }
  const search = `?locale=${taken.locale}&status=${taken.status}`;
  if (documentId !== undefined && versions.size === 0) {
    expect((await client.update(path + search, bodyOf(taken.change))).status).toBe(404);
    return;
  }
  const body = bodyOf(taken.change);
  const answer =
    documentId === undefined ? client.create(`/api/articles${search}`, body) : client.update(path + search, body);
  known.documentId = (await documentOf(answer)).documentId;
  known.versions = written(versions, taken.locale, taken.status, taken.change);
}

const labelsOf = (value: unknown): readonly string[] => (value as { label: string }[]).map(({ label }) => label);

const shown = (document: ApiDocument): Version => ({
  title: String(document.title),
  price: document.price as number | null,
  attachment: (document.attachment as ApiDocument | null)?.documentId ?? null,
  links: labelsOf(document.links),
});

const ofStatus = (versions: Versions, status: Status) => [...versions].filter(([key]) => key.endsWith(`/${status}`));

/** Every version, read in one list of all locales; and what each tells of its other locales. */
async function checkLists({ documentId, versions }: Known): Promise<void> {
  for (const status of STATUSES) {
    const wanted = ofStatus(versions, status);
    const search = `filters[documentId]=${documentId}&locale=*&status=${status}&populate[attachment]=true&populate[links]=true&populate[localizations][fields]=locale`;
    const { data } = (await (await client.get(`/api/articles?${search}`)).json()) as { data: ApiDocument[] };
    const found = data.map((document) => [`${String(document.locale)}/${status}`, shown(document)] as const);
    expect(new Map(found)).toEqual(new Map(wanted));
    for (const document of data) {
      const others = (document.localizations as ApiDocument[]).map((other) => other.locale);
      const locales = wanted.map(([key]) => key.slice(0, 2)).filter((name) => name !== document.locale);
      expect(others.sort()).toEqual(locales.sort());
    }
  }
}

async function checkSingles({ documentId, versions }: Known): Promise<void> {
  for (const name of LOCALES)
    for (const status of STATUSES) {
      const wanted = versions.get(`${name}/${status}`);
      const response = await client.get(
        `/api/articles/${documentId}?locale=${name}&status=${status}&populate=attachment,links`,
      );
      expect(response.status).toBe(wanted ? 200 : 404);
      if (wanted) expect(shown(await documentOf(Promise.resolve(response)))).toEqual(wanted);
    }
}

async function checkTotals(documents: readonly Known[]): Promise<void> {
  for (const status of STATUSES) {
    const total = documents.flatMap(({ versions }) => ofStatus(versions, status)).length;
    expect(await totalOf(client.get(`/api/articles?locale=*&status=${status}`))).toBe(total);
  }
}

async function checkSteps(steps: readonly Step[]): Promise<void> {
  const documents: readonly Known[] = [{ versions: new Map() }, { versions: new Map() }];
  for (const taken of steps) {
    const known = documents[taken.which] as Known;
    await perform(known, taken);
    if (known.documentId !== undefined) await checkLists(known);
    await checkTotals(documents);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  }
  for (const known of documents.filter(({ documentId }) => documentId !== undefined)) {
    await checkSingles(known);
    await client.remove(`/api/articles/${known.documentId}?locale=*`);
  }
}

const write = (locale: Locale, status: Status, change: Omit<Change, 'title'>): Step => ({
  verb: 'write',
  which: 0,
  isolate: 0,
  locale,
  status,
  change: { title: 'One title', ...change },
});

it('a new locale shares a file that it inherits and the first draft lacks', async () => {
  await checkSteps([
    write('fr', 'draft', {}),
    write('de', 'published', { attachment: 'second' }),
    write('fr', 'draft', { price: 1, attachment: null }),
    write('en', 'published', { price: 1 }),
  ]);
});

it('a delete takes the locales that it names', async () => {
  await checkSteps([
    ...LOCALES.map((name) => write(name, 'published', { attachment: 'first', links: ['a'] })),
    { verb: 'remove', which: 0, isolate: 0, locales: ['fr', 'en'] },
  ]);
});

it('reads agree with the model after every write', async () => {
  const seed = seedOf('locales');
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), checkSteps);
  // A failed run leaves its documents behind, so that a shrunk one would not start from nothing.
  await fc.assert(property, { seed, numRuns: samplesOf(20), endOnFailure: true });
});
