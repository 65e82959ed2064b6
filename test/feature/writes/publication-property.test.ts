/**
 * @module Random writes between actions of publication: both versions, their links and the counters stay consistent.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, recordedRegistry } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import { emptyPool, randomWrite } from './random-writes.ts';

const ROUNDS = samplesOf(250, 0.2);
/** Each action has to succeed more often than that. By chance one is rare: then there are more rounds. */
const SUCCESSES = ROUNDS / 12.5;
const ACTIONS = ['publish', 'unpublish', 'discard-draft'] as const;
const WITH_ALL = 'populate[sections][on][blocks.callout][populate]=articles&populate[sections][on][blocks.quote]=true';

const { client, send } = openMagazine();

const VERSION_KEYS = new Set(['id', 'publishedAt', 'updatedAt', 'localizations']);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const nameOf = (documentId: unknown, locale: unknown): string => `${documentId} ${locale}`;

/** A response without what differs between versions: of related documents only their names and locales. */
function comparable(value: unknown, depth = 0): unknown {
  if (isList(value)) return value.map((item) => comparable(item, depth));
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 0 && 'documentId' in value) return nameOf(value.documentId, 'locale' in value ? value.locale : '');
  const entries = Object.entries(value).filter(([key]) => !VERSION_KEYS.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, comparable(item, depth + 1)]));
}

async function shown(path: string, search: string): Promise<unknown> {
  const plain = await client.get(`${path}?${search}&populate=*`);
  const nested = path.includes('articles') ? await client.get(`${path}?${search}&${WITH_ALL}`) : plain;
  if (plain.status !== 200) return plain.status;
  return [
    comparable(((await plain.json()) as { data: unknown }).data),
    nested === plain || comparable(await nested.json()),
  ];
}

/** Names of the documents that have only a draft. */
async function unpublished(): Promise<ReadonlySet<unknown>> {
  const drafts = ['articles', 'issues'].map(
    (table) => `select "document_id", "locale" from ${table} group by 1, 2 having max("published_at") is null`,
  );
  const { results } = await env.DB.prepare(drafts.join(' union all ')).all();
  return new Set(results.map(({ document_id, locale }) => nameOf(document_id, locale)));
}

/** What a published version shows: links to documents that are not published wait. */
function withoutNames(value: unknown, names: ReadonlySet<unknown>): unknown {
  if (isList(value)) return value.filter((item) => !names.has(item)).map((item) => withoutNames(item, names));
  if (typeof value !== 'object' || value === null) return names.has(value) ? null : value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNames(item, names)]));
}

it('after each action the versions are what it promises', async () => {
  const dice = diceOf(seedOf('publication'));
  const pool = emptyPool();
  const done = { publish: 0, unpublish: 0, 'discard-draft': 0 };
  const isRare = () => Object.values(done).some((count) => count <= SUCCESSES);
  for (let round = 0; round < ROUNDS || (isRare() && round < 8 * ROUNDS); round += 1) {
    for (let write = 0; write < 3; write += 1) await (await randomWrite({ client, dice, pool })).text();
    const route = dice.pick(['articles', 'articles', 'issues'] as const);
    const documents = pool.documents[route];
    if (documents.length === 0) continue;
    const path = `/api/${route}/${dice.pick(documents as [string])}`;
    const action = dice.pick(ACTIONS);
    const before = { draft: await shown(path, 'status=draft'), published: await shown(path, '') };
    const response = await send(`${path}/actions/${action}`, { method: 'POST', ...bearer('full') });
    const after = { draft: await shown(path, 'status=draft'), published: await shown(path, '') };
    if (!response.ok) {
      expect([400, 404]).toContain(response.status);
      expect(after).toEqual(before);
      continue;
    }
    done[action] += 1;
    if (action === 'unpublish') expect(after).toEqual({ draft: before.draft, published: 404 });
    if (action === 'discard-draft') {
      expect(after.published).toEqual(before.published);
      expect(withoutNames(after.draft, await unpublished())).toEqual(before.published);
    }
    if (action === 'publish') {
      expect(after.draft).toEqual(before.draft);
      expect((await client.update(path, {})).status).toBe(200);
      expect(await shown(path, '')).toEqual(after.published);
    }
    if (round % 10 === 0) expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  }
  expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  for (const count of Object.values(done)) expect(count).toBeGreaterThan(SUCCESSES);
});
