/**
 * @module The kept totals are what counting would find, after whatever sequence of writes.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { documentOf, totalOf } from '../../support/client.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

const TYPES = {
  issues: { uid: 'api::issue.issue', table: 'issues' },
  tags: { uid: 'api::tag.tag', table: 'tags' },
  articles: { uid: 'api::article.article', table: 'articles' },
} as const;

const step = fc.record({
  type: fc.constantFrom(...(Object.keys(TYPES) as (keyof typeof TYPES)[])),
  verb: fc.constantFrom('create', 'update', 'remove', 'refused'),
  status: fc.constantFrom('', '?status=draft', '?status=published'),
  which: fc.nat(20),
});

let serial = 0;
const dataOf = { issues: 'number', tags: 'name', articles: 'code' } as const;

function newData(type: keyof typeof TYPES): object {
  serial += 1;
  const unique = { [dataOf[type]]: type === 'issues' ? serial : `value ${serial}` };
  return type === 'tags' ? unique : { title: `Title ${serial}`, ...unique };
}

async function counted(table: string): Promise<Map<string, number>> {
  const sql = `select "locale" || iif("published_at" is null, '/draft', '/published') as "version", count(*) as "total" from "${table}" group by 1`;
  const { results } = await env.DB.prepare(sql).all<{ version: string; total: number }>();
  return new Map(results.map(({ version, total }) => [version, total]));
}

async function kept(uid: string): Promise<Map<string, number>> {
  const sql = `select "locale" || '/' || "status" as "version", "total" from "edgewise_counters" where "type" = ? and "total" <> 0`;
  const { results } = await env.DB.prepare(sql).bind(uid).all<{ version: string; total: number }>();
  return new Map(results.map(({ version, total }) => [version, total]));
}

it('stay equal to count(*) through any sequence of writes', async () => {
  const documents: Record<keyof typeof TYPES, string[]> = { issues: [], tags: [], articles: [] };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      for (const { type, verb, status, which } of steps) {
        const known = documents[type];
        const id = known[which % Math.max(known.length, 1)] ?? 'nope';
        const path = `/api/${type}/${id}${verb === 'remove' && status === '?status=draft' ? '' : status}`;
        if (verb === 'create')
          known.push((await documentOf(client.create(`/api/${type}${status}`, newData(type)))).documentId);
        else if (verb === 'update') await client.update(path, newData(type));
        else if (verb === 'refused') await client.update(path, { nope: 1 });
        else await client.remove(path);
      }
      for (const { uid, table } of Object.values(TYPES)) expect(await kept(uid)).toEqual(await counted(table));
    }),
    { numRuns: samplesOf(15, 0.2), seed: inject('seed') },
  );
});

it('are what a list tells, in every status', async () => {
  for (const [type, { table }] of Object.entries(TYPES)) {
    const totals = await counted(table);
    const locale = type === 'articles' ? 'en' : '';
    for (const status of type === 'tags' ? ['published'] : ['published', 'draft'])
      expect(await totalOf(client.get(`/api/${type}?status=${status}`))).toBe(totals.get(`${locale}/${status}`) ?? 0);
  }
});
