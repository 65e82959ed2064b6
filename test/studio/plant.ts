/**
 * @module A type with many documents, planted before the server of the tests starts.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Comments, by number: the text of the last one made is the first of the list. */
export const MANY = 100_000;

const ROWS = `insert into comments (document_id, locale, created_at, updated_at, published_at, text, score)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})
  select printf('m%023d', i), '', 1700000000000 + i, 1700000000000 + i, 1700000000000 + i, 'Comment ' || i, i % 10 from n`;

const COUNTER = `insert or replace into edgewise_counters (type, locale, status, total)
  select 'api::comment.comment', '', 'published', count(*) from comments`;

/** @param folder a project with tables, which no server has open */
export function plantMany(folder: string): void {
  const [path] = globSync(join(folder, '.wrangler/state/v3/d1/miniflare-D1DatabaseObject/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  if (path === undefined) throw new Error(`There is no local database in ${folder}.`);
  const database = new DatabaseSync(path);
  database.exec(`begin; ${ROWS}; ${COUNTER}; commit`);
  database.close();
}
