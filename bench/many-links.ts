/**
 * @module `npm run bench -- --links`: what it takes to connect and disconnect one of few links, and one of 60,000.
 */
import { join } from 'node:path';
import { linkTable } from '../src/schema/names.ts';
import { databaseCost, productHandler } from './database-cost.ts';
import type { BenchRow } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { seed, withDatabase } from './seed.ts';
import { dossierDocumentId } from './seed-data.ts';

const SIZE = 1_000;
const COUNTS = [6, 600, 60_000] as const;
const LINKS = linkTable('dossiers', 'tags');

/** The dossier has so many links in both versions, and nothing else of it is large. */
const linksOf = (documentId: string, count: number): readonly string[] => [
  `delete from "${LINKS}" where "source_document_id" = '${documentId}'`,
  `insert into "${LINKS}"
    ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position")
    with recursive "n"("i") as (select 1 union all select "i" + 1 from "n" where "i" < ${count})
    select '${documentId}', '', 'many' || "i", '', "value", "i" * 65536, 65536
    from "n", json_each('["draft", "published"]')`,
];

const TARGETS = `insert into "tags" ("document_id", "locale", "published_at", "created_at", "updated_at", "name", "slug")
  with recursive "n"("i") as (select 1 union all select "i" + 1 from "n" where "i" <= 60001)
  select 'many' || "i", '', 1, 1, 1, 'Many ' || "i", 'many-' || "i" from "n"`;

const write = (title: string, documentId: string, search: string, body: (turn: number) => unknown): BenchRow => ({
  name: title,
  title,
  requests: () => [{ method: 'PUT', path: `/api/dossiers/${documentId}?fields=title${search}`, body }],
});

/** The first sending warms up, and must not leave the second without work: they name different tags. */
const rowsOf = (documentId: string): readonly BenchRow[] => [
  write('connect one, draft', documentId, '&status=draft', (turn) => ({
    data: { tags: { connect: [`many${60_000 + turn - 1}`] } },
  })),
  write('disconnect one, draft', documentId, '&status=draft', (turn) => ({
    data: { tags: { disconnect: [`many${turn}`] } },
  })),
  write('change a title, draft', documentId, '&status=draft', (turn) => ({ data: { title: `Title ${turn}` } })),
  write('change a title, published', documentId, '', (turn) => ({ data: { title: `Title ${turn}` } })),
];

/** Prints rows read and written by each write, for each number of links. */
export async function manyLinks(): Promise<void> {
  const { root, registry, configs } = await makeScratch();
  const state = join(root, 'state', 'links');
  await seed(configs.product, state, registry, SIZE, () => undefined);
  const product = productHandler(registry);
  await withDatabase(configs.product, state, async (database) => {
    await database.prepare(TARGETS).run();
    for (const count of COUNTS) {
      const documentId = dossierDocumentId(1);
      for (const statement of linksOf(documentId, count)) await database.prepare(statement).run();
      for (const row of rowsOf(documentId)) {
        const { cost } = await databaseCost(product, row, SIZE, database);
        const figures = `${cost.roundTrips} round trips, ${cost.rowsRead} rows read, ${cost.rowsWritten} written`;
        process.stdout.write(`${count.toLocaleString('en').padStart(7)} links  ${row.title.padEnd(28)} ${figures}\n`);
      }
    }
  });
}
