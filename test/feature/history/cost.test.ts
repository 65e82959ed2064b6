/**
 * @module What keeping versions adds to a write: statements and rows, of tables and their indexes.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const { serve } = openKinds();
type Client = ReturnType<typeof clientOf>;

/** Returns what a write adds to the costs with `history`: batches, statements, and rows written. */
async function addedBy(write: (client: Client, documentId: string) => Promise<Response>) {
  const costs: number[][] = [];
  for (const history of [false, true]) {
    const counted = countedDatabase(env.DB);
    const client = clientOf(serve(history ? { history } : {}, { DB: counted.database }), 'full');
    // The former version is kept by the first write with a history, and the token is known by then.
    const { documentId } = await documentOf(client.create('/api/stories', { title: 'one' }));
    await documentOf(client.update(`/api/stories/${documentId}`, { title: 'two' }));
    counted.batches.length = 0;
    counted.rowsWritten.clear();
    expect((await write(client, documentId)).ok).toBe(true);
    const batches = counted.answering();
    const rows = batches.flatMap((batch) => [...new Set(batch)].map((sql) => counted.rowsWritten.get(sql) ?? 0));
    costs.push([batches.length, batches.flat().length, rows.reduce((sum, each) => sum + each, 0)]);
  }
  const [without = [], kept = []] = costs;
  const [batches, statements, rows] = kept.map((cost, index) => cost - (without[index] ?? 0));
  return { batches, statements, rows };
}

/** A version is a row with an entry in each of three indexes, and the running total of the bytes is written for it. */
const OF_VERSION = 5;

it('an update that publishes takes three statements more, and writes nothing but its two versions', async () => {
  const added = await addedBy((client, id) => client.update(`/api/stories/${id}`, { title: 'three' }));
  expect(added).toEqual({ batches: 0, statements: 3, rows: 2 * OF_VERSION });
});

it('an update of a draft takes three statements more, and writes nothing but its version', async () => {
  const added = await addedBy((client, id) => client.update(`/api/stories/${id}?status=draft`, { title: 'three' }));
  expect(added).toEqual({ batches: 0, statements: 3, rows: OF_VERSION });
});

it('a create takes two statements more, and writes nothing but its two versions', async () => {
  const added = await addedBy((client) => client.create('/api/stories', { title: 'one' }));
  expect(added).toEqual({ batches: 0, statements: 2, rows: 2 * OF_VERSION });
});
