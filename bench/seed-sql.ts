/**
 * @module Documents in any number, made inside SQLite by arithmetic on their number: the same on every machine.
 */
import { LINK_STEP, linkTable, typedLinkTable } from '../src/schema/names.ts';
import { documentIdSql, EPOCH, LINKS, type Link, SEEDS, type Seed } from './seed-data.ts';

/** Every tenth document is a draft that was never published. */
const UNPUBLISHED_EVERY = 10;

/** Numbers `first` to `last` as rows of one column `i`. */
const numbers = (first: number, last: number): string =>
  `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`;

function insertDocuments(seed: Seed, first: number, last: number): string {
  const { table, letter, draftAndPublish, columns } = seed;
  const stamp = `${EPOCH} + i * 1000`;
  const versions = draftAndPublish ? `(select 0 as live union all select 1)` : `(select 1 as live)`;
  const published = draftAndPublish ? `live = 0 or i % ${UNPUBLISHED_EVERY} <> 0` : '1';
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `insert into "${table}" ("document_id", "locale", "created_at", "updated_at", "published_at", ${names.join(', ')})
    ${numbers(first, last)} select ${documentIdSql(letter, 'i')}, '', ${stamp}, ${stamp}, iif(live = 1, ${stamp} + 500, null), ${Object.values(columns).join(', ')}
    from n, ${versions} where ${published} order by i, live`;
}

/** Links of every version of the documents of a table. */
function insertLinks({ table, attribute, letter, places, most, typed, target }: Link, size: number): string {
  const name = typed ? typedLinkTable(table, attribute) : linkTable(table, attribute);
  const [column, uid] = typed ? [', "target_type"', `, '${typed.uid}'`] : ['', ''];
  return `insert or ignore into "${name}" ("source_document_id", "target_document_id", "status", "position", "inverse_position"${column})
    with recursive places(place) as (select 1 union all select place + 1 from places where place < ${most})
    select "document_id", ${documentIdSql(letter, target(size))}, "status", (place + ${typed?.before ?? 0}) * ${LINK_STEP}, number * ${LINK_STEP}${uid}
    from (select "document_id", iif("published_at" is null, 'draft', 'published') as "status", cast(substr("document_id", 2) as integer) as number from "${table}") join places on place <= ${places}`;
}

/** One step of the seed: statements that belong together, and what to say meanwhile. */
export interface SeedStep {
  readonly progress: string;
  readonly statements: readonly string[];
}

const CHUNK = 10_000;

function documentSteps(seed: Seed, size: number): readonly SeedStep[] {
  const count = seed.count(size);
  return Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => {
    const last = Math.min(count, (index + 1) * CHUNK);
    return { progress: `${seed.table} ${last}/${count}`, statements: [insertDocuments(seed, index * CHUNK + 1, last)] };
  });
}

/** Everything that `size` articles need, without the counters and the token. */
export function seedSteps(size: number): readonly SeedStep[] {
  const links = LINKS.map((link) => ({
    progress: `${link.attribute} of ${link.table}`,
    statements: [insertLinks(link, size)],
  }));
  return [...SEEDS.flatMap((seed) => documentSteps(seed, size)), ...links];
}
