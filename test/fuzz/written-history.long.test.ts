/**
 * @module Each write has the entries that it should have, and no others. A former version is shown as readers found it, and
 * its restoration does what an update with these values and links does.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf } from '../support/client.ts';
import { diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { createToken, sendJson } from '../support/recorded.ts';
import { type Event, type KeptVersions, keep, LIMITS, noteTime, type Written } from './kept-versions.ts';
import { anyOf, drawn, type Run } from './kept-writes.ts';
import { parameters, progress, timeout } from './options.ts';
import type { Body } from './written-bodies.ts';
import { complaints, sameState } from './written-complaints.ts';
import { FILES, hasDrafts, hasLocales, RELATIONS, TYPES, type TypeName, writtenRegistry } from './written-model.ts';
import { expectedAfter, pruned, seen } from './written-oracle.ts';
import {
  documentOf as idOf,
  keyOf,
  populated,
  type Ref,
  readState,
  readVersion,
  type State,
  VERSIONS,
  type Version,
  type VersionName,
} from './written-state.ts';

const history = Object.fromEntries(TYPES.map((type) => [`api::${type}.${type}`, { versions: LIMITS[type] }]));
const kept = serveRegistry(writtenRegistry, { history });
/** Writes without a history. */
const unkept = serveRegistry(writtenRegistry);
const reader = clientOf(kept, 'ann');

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await createRegistryTables(writtenRegistry);
  await createToken('ann', 'full-access');
  await createToken('bob', 'full-access');
  const insert = `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, mime, size, url, provider) values (?1, '', 1, 1, 1, ?1, ?1, 'image/png', 1, '/a', 'r2')`;
  await env.DB.batch(FILES.map((name) => env.DB.prepare(insert).bind(name)));
});

afterAll(() => {
  vi.useRealTimers();
});

interface Listed {
  readonly revision: string;
  readonly version: string;
  readonly operation: string;
  readonly locale: string | null;
  readonly at: string;
  readonly by: { readonly name: string | null };
  readonly hasValues: boolean;
}

async function listOf(type: string, documentId: string): Promise<readonly Listed[]> {
  const response = await reader.get(`/api/${type}s/${documentId}/history?pagination[limit]=100`);
  return response.status === 404 ? [] : ((await response.json()) as { data: readonly Listed[] }).data;
}

/** The entries of every version of these documents, beside those that the model has. */
async function listedAndKept(documents: ReadonlySet<string>, all: KeptVersions) {
  const listed: string[] = [];
  for (const document of documents) {
    const [type = '', documentId = ''] = document.split('/');
    for (const { locale, version, operation, by, hasValues, at } of await listOf(type, documentId))
      listed.push(
        `${document}/${locale ?? ''}/${version} ${operation} ${by.name} ${hasValues} ${operation === 'before' ? 0 : Date.parse(at)}`,
      );
  }
  const expected = [...all].flatMap(([key, versions]) =>
    documents.has(key.split('/').slice(0, 2).join('/'))
      ? versions.map(({ operation, by, shown, at }) => `${key} ${operation} ${by} ${shown !== undefined} ${at}`)
      : [],
  );
  // Versions of one commit have the same time; those of each row stay in their order.
  const inOrder = (lines: readonly string[]) =>
    lines
      .map((line, index) => [line.split(' ')[0] ?? '', index, line] as const)
      .sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j))
      .map(([, , line]) => line);
  return [inOrder(listed), inOrder(expected)] as const;
}

const documentsOf = (events: readonly Event[]): ReadonlySet<string> =>
  new Set(events.map(({ type, ref }) => `${type}/${idOf(ref)}`));

/** A version without links of its components that `keeps` drops. */
const withoutLinks = (version: Version, keeps: Parameters<typeof pruned>[1]): Version => ({
  ...version,
  values: Object.fromEntries(Object.entries(version.values).map(([name, value]) => [name, pruned(value, keeps)])),
});

/** The links that the document owns, without those that `keeps` drops. */
const ownedLinks = (type: TypeName, { links }: Version, keeps: Parameters<typeof pruned>[1]) =>
  RELATIONS[type]
    .filter(({ owner }) => owner)
    .map(({ name, target }) => [name, (links[name] ?? []).filter((other) => keeps(target, other))] as const);

/** The links of both versions of a type without drafts in one list: that of the drafts, in the order of published ones. */
function inOneOrder(drafts: readonly Ref[], published: readonly Ref[]): readonly Ref[] {
  const rest = [...published];
  const placed = drafts.map((ref) => (published.includes(ref) && rest.shift()) || ref);
  return [...placed, ...rest];
}

interface Restoring {
  readonly event: Event;
  readonly version: Version;
  readonly published: Version;
  readonly rows: ReadonlySet<string>;
}

/** What readers find after a restoration, beside what they would after an update with the same values and links. */
function restorationComplaints(
  { event, version, published, rows }: Restoring,
  before: State,
  after: State,
): readonly string[] {
  const { type, ref } = event;
  // A document that is gone cannot be linked to itself before it is there.
  const isThere = VERSIONS.some((each) => before.has(keyOf(type, ref, each)));
  const isGone = (other: Ref) => other === ref && !isThere;
  const now = new Set(after.keys());
  const restoredKey = keyOf(type, ref, 'draft');
  const links = Object.fromEntries(
    RELATIONS[type]
      .filter(({ owner }) => owner)
      .map(({ name, target, multiple }) => {
        const all = inOneOrder(version.links[name] ?? [], published.links[name] ?? []);
        const refs = (multiple ? all : all.slice(0, 1)).filter((other) => !isGone(other));
        const found = after.get(restoredKey)?.links[name] ?? [];
        // Links of the published version to what was not published then.
        const known = found.filter((other) => seen(rows, target, other, event.version));
        const still = refs.filter((other) => seen(now, target, other, 'draft'));
        return [name, () => (known.length < found.length && known.join() === still.join() ? found : refs)];
      }),
  );
  const values = withoutLinks(version, (target, other) => target !== type || !isGone(other)).values as Body['values'];
  const body: Body = { data: values, values, links };
  const expected = expectedAfter(before, { type, ref, status: hasDrafts(type) ? 'draft' : 'published', body });
  // The row of a component keeps links to what is not there: they are seen again if it comes back.
  const earlier = new Set(before.keys());
  const thenAndEarlier = new Set([...rows].filter((key) => earlier.has(key)));
  const shownOf = (key: string) => (target: TypeName | 'file', other: Ref) => {
    const version = key.split('/')[3] as VersionName;
    const isRestored = key.startsWith(`${type}/${ref}/`) && (!hasDrafts(type) || version === 'draft');
    if (isRestored) return seen(rows, target, other, hasDrafts(type) ? event.version : version);
    // The other locales have the restored values that are shared.
    const isOfDocument = key.startsWith(`${type}/${idOf(ref)}/`);
    return seen(isOfDocument ? thenAndEarlier : earlier, target, other, version);
  };
  const found = new Map([...after].map(([key, each]) => [key, withoutLinks(each, shownOf(key))]));
  for (const [key, each] of expected.values)
    for (const [name, values] of Object.entries(each)) each[name] = values.map((value) => pruned(value, shownOf(key)));
  return complaints(found, expected);
}

interface Meta {
  readonly missing: readonly { readonly path: string; readonly documentId: string }[];
  readonly changed: readonly unknown[];
}

/** Compares the targets that a restoration names as missing with those that were shown and are gone. */
function missingComplaints({ missing }: Meta, type: TypeName, former: Version, before: State): readonly string[] {
  return RELATIONS[type]
    .filter(({ owner, target }) => owner && target !== 'file')
    .flatMap(({ name, target }) => {
      const named = missing.filter(({ path }) => path === name).map(({ documentId }) => documentId);
      const isThere = (ref: Ref) => VERSIONS.some((each) => before.has(keyOf(target as TypeName, ref, each)));
      const gone = (former.links[name] ?? []).filter((ref) => !isThere(ref)).map(idOf);
      return [
        ...gone.filter((id) => !named.includes(id)).map((id) => `${name}: ${id} is gone and not named`),
        ...named
          .filter((id) => !hasLocales(target as TypeName) && isThere(`${id}/`))
          .map((id) => `${name}: ${id} is there and named`),
      ];
    });
}

/** What a step has made. */
interface Done {
  readonly events: readonly Event[];
  readonly after: State;
}

async function restored(run: Run, all: KeptVersions, writer: string, said: string): Promise<Done | undefined> {
  const { dice, state } = run;
  const candidates = [...all].flatMap(([key, versions]) =>
    versions.flatMap(({ shown }, index) => (shown ? [{ key, index, shown }] : [])),
  );
  const chosen = anyOf(dice, candidates);
  if (!chosen) return undefined;
  const { key, index, shown } = chosen;
  const [type, documentId = '', locale, version] = key.split('/') as [TypeName, string, string, VersionName];
  const ref = `${documentId}/${locale}`;
  const own = (await listOf(type, documentId)).filter(
    (each) => (each.locale ?? '') === locale && each.version === version,
  );
  const revision = own[index]?.revision ?? '';
  const path = `/api/${type}s/${documentId}`;
  const restoring: Restoring = { event: { operation: 'restore', type, ref, version }, ...shown };
  const label = `${said}: restores ${key} ${index}`;

  const former = readVersion(type, await documentOf(reader.get(`${path}/history/${revision}?${populated(type)}`)));
  // A former version that is shown is there itself.
  const rows = new Set(state.keys()).add(key);
  const isSeen = (known: ReadonlySet<string>) => (target: TypeName | 'file', other: Ref) =>
    seen(known, target, other, version);
  const isStill = isSeen(rows);
  expect(withoutLinks(former, isSeen(shown.rows)).values, label).toEqual(withoutLinks(shown.published, isStill).values);
  expect(ownedLinks(type, former, isSeen(shown.rows)), label).toEqual(ownedLinks(type, shown.published, isStill));

  const response = await kept(`${path}/actions/restore`, sendJson('POST', writer, { data: { revision } }));
  const text = await response.text();
  expect(response.status, `${label}\n${text}`).toBe(200);
  const after = await readState(reader);
  const wrong = restorationComplaints(restoring, state, after);
  expect(wrong, `${label}\n${JSON.stringify(shown.version)}\n${wrong.join('\n')}`).toEqual([]);
  const { meta } = JSON.parse(text) as { meta: Meta };
  expect([missingComplaints(meta, type, shown.version, state), meta.changed], label).toEqual([[], []]);
  const events: readonly Event[] = [
    { operation: 'restore', type, ref, version: hasDrafts(type) ? 'draft' : 'published' },
  ];
  return { events, after };
}

async function written(run: Run, writer: string, isKept: boolean, said: string): Promise<Done> {
  const sent = drawn(run);
  const response = await (isKept ? kept : unkept)(sent.path, sendJson(sent.method, writer, sent.body));
  const text = await response.text();
  const label = `${said}: ${sent.method} ${sent.path} ${JSON.stringify(sent.body)}\n${text.slice(0, 500)}`;
  expect(response.status, label).toBe(sent.status || response.status);
  const after = await readState(reader);
  if (response.ok) return { events: sent.events(text === '' ? undefined : JSON.parse(text)), after };
  expect(sameState(run.state, after), label).toEqual([]);
  return { events: [], after };
}

it('keeps the versions that writes make, and restores what readers found', { timeout }, async () => {
  const { numRuns, seed } = parameters('written-history');
  const tick = progress('written-history');
  const dice = diceOf(seed);
  const all: KeptVersions = new Map();
  const times: Written = new Map();
  let state = await readState(reader);
  for (let count = 0; count < numRuns; count += 1) {
    vi.setSystemTime(Date.now() + dice.pick([1, 1_000, 60_000, 599_000, 601_000]));
    const writer = dice.pick(['ann', 'ann', 'bob']);
    const said = `run ${count} of seed ${seed}`;
    const isKept = !dice.once(8);
    const run: Run = { dice, state };
    const done =
      (isKept && dice.once(4) && (await restored(run, all, writer, said))) ||
      (await written(run, writer, isKept, said));
    const write = { before: state, after: done.after, by: writer, at: Date.now() };
    if (isKept) for (const event of done.events) keep({ kept: all, written: times }, event, write);
    for (const event of done.events) noteTime(times, event, write.at);
    const [listed, expected] = await listedAndKept(documentsOf(done.events), all);
    expect(listed, said).toEqual(expected);
    if (count % 20 === 0) expect(await checkInvariants(env.DB, writtenRegistry), said).toEqual([]);
    state = done.after;
    tick();
  }
});
