/**
 * @module The reads that tell most of what reading is: what is asked, the SQL it becomes, and the answer. What they
 * are expected to be stands in `test/golden/`; `npm test -- test/feature/reads/golden.test.ts -u` writes it
 * anew, to be read before it is kept.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { contentActions } from '../../../src/access/actions.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { READS } from '../../support/golden-reads.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

/** Nobody has to be confirmed, so that the statements are those of the reads alone. */
const OPEN = { roles: { public: [...contentActions(recordedRegistry)] }, api: { rest: { publicDrafts: true } } };

const OLDER = 'single-type-in-the-older-format';

const { client } = openMagazine();
let names: Names;

beforeAll(async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1));
  names = await createPopulatedWorld(client);
  await client.update(`/api/articles/${names.second}?status=draft`, { price: 3 });
});

afterAll(() => {
  vi.restoreAllMocks();
});

/** One line for each clause. */
const lines = (sql: string): string => sql.replaceAll(/ (from|join|where|order by|limit) /g, '\n$1 ');

/** DocumentIds by name; the ids of components differ from run to run. */
function readable(text: string): string {
  const named = Object.entries(names).reduce((rest, [name, id]) => rest.replaceAll(id, `<${name}>`), text);
  return named.replaceAll(/"id": \d{7,}/g, '"id": "<id>"');
}

it.each(Object.entries(READS))('%s', async (name, read) => {
  const counted = countedDatabase(env.DB);
  const path = Object.entries(names).reduce((rest, [key, id]) => rest.replace(`<${key}>`, id), `/api/${read}`);
  const headers = name === OLDER ? { 'strapi-response-format': 'v4' } : {};
  const response = await serve(OPEN, { DB: counted.database })(path, { headers });
  const [statements = [], ...others] = counted.answering();
  expect(others).toEqual([]);
  const answer = readable(JSON.stringify(await response.json(), null, 2));
  const parts = [`GET /api/${read}`, ...statements.map(lines), `${response.status} ${answer}`];
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(`../../golden/${name}.txt`);
});
