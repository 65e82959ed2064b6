/**
 * @module `npm run bench -- --zones`: a list of pages with three components each, in a zone that allows 3 and in one that
 * allows 60. The Worker runs in this process.
 */
import { join } from 'node:path';
import { pageBuilder } from '../test/support/page-builder.ts';
import { type Handler, productHandler, serve } from './database-cost.ts';
import { median } from './median.ts';
import { pathOf, TOKEN } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { seedTables, withDatabase } from './seed.ts';

const SIZES = [3, 60] as const;
const PAGES = 25;
const TURNS = 300;
const LIST = encodeURI(`/api/pages?populate[zone][populate]=*&pagination[pageSize]=${PAGES}`);

type Ask = (method: string, path: string, data?: object) => Promise<{ readonly documentId: string }>;

const askOf =
  (handler: Handler, DB: D1Database): Ask =>
  async (method, path, data) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const body = data && { body: JSON.stringify({ data }) };
    const request = new Request(`http://localhost${path}`, { method, headers, ...body });
    const response = await serve(handler, request, { DB } as unknown as Env);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text).data;
  };

async function seedPages(ask: Ask): Promise<void> {
  const { documentId: author } = await ask('POST', '/api/authors', { name: 'Author' });
  const { documentId: place } = await ask('POST', '/api/places', { name: 'Place' });
  const { documentId: page } = await ask('POST', '/api/pages', { title: 'Page' });
  const link = { label: 'Link', page };
  const zone = [0, 1, 2].map((index) => ({
    ...{ __component: `block.b${index}`, heading: `Heading ${index}`, author, place, pages: [page], link },
    cards: Array.from({ length: 3 }, (_, card) => ({ title: `Card ${card}`, link })),
  }));
  for (let number = 1; number < PAGES; number++) await ask('POST', '/api/pages', { title: `Page ${number}`, zone });
}

/** Prints the median time of a list with each zone, by turns, and how many times as long the large one takes. */
export async function zones(): Promise<void> {
  const { root, configs } = await makeScratch();
  const registries = SIZES.map(pageBuilder);
  const states = SIZES.map((size) => join(root, 'state', `zone-${size}`));
  for (const [index, registry] of registries.entries())
    await seedTables(configs.product, states[index] ?? '', registry);
  const times = SIZES.map((): number[] => []);
  const [small = '', large = ''] = states;
  await withDatabase(configs.product, small, (few) =>
    withDatabase(configs.product, large, async (many) => {
      const asks = registries.map((registry, index) => askOf(productHandler(registry), index === 0 ? few : many));
      for (const ask of asks) await seedPages(ask);
      for (let turn = 0; turn < TURNS; turn++)
        for (const [index, ask] of asks.entries()) {
          const path = pathOf({ method: 'GET', path: LIST }, turn);
          const start = performance.now();
          await ask('GET', path);
          if (turn >= TURNS / 5) times[index]?.push(performance.now() - start);
        }
    }),
  );
  const [three = 0, sixty = 0] = times.map(median);
  process.stdout.write(`list ${PAGES}, zone of 3   ${three.toFixed(2)} ms\n`);
  process.stdout.write(`list ${PAGES}, zone of 60  ${sixty.toFixed(2)} ms, ${(sixty / three).toFixed(2)} x\n`);
}
