/**
 * @module `npm run bench -- --ceiling`: what the most expensive reads take. 100 tags with 3,000 articles each, long texts,
 * and reads that multiply them; for each the CPU time and the memory of the runtime, Worker and database together.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COUNTER_TABLE, linkTable } from '../src/schema/names.ts';
import { cpuTime } from './processes.ts';
import { TOKEN } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { seed, withDatabase } from './seed.ts';
import { type Server, startServer } from './server.ts';

const ARTICLES = 3_000;
const TAGS = 100;

const ALL = 'pagination[pageSize]=100&pagination[withCount]=false';
const many = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('&');

/** Name → path: every way to multiply that the content types have. */
const READS: Readonly<Record<string, string>> = {
  'list of 3,000': `tags?${ALL}&populate=articles`,
  'list of 3,000, one field': `tags?${ALL}&populate[articles][fields]=slug`,
  'one list of 3,000': 'tags?pagination[pageSize]=1&populate=articles',
  'one list of 3,000, one field': 'tags?pagination[pageSize]=1&populate[articles][fields]=slug',
  'lists inside lists': `tags?${ALL}&populate[articles][populate][tags][fields]=slug`,
  'lists inside lists, one tag': 'tags?pagination[pageSize]=1&populate[articles][populate][tags][fields]=slug',
  'four lists': `tags?${ALL}&populate[articles][populate][tags][populate][articles][populate]=tags`,
  count: `tags?${ALL}&populate[articles][count]=true`,
  'count inside a list': 'tags?pagination[pageSize]=1&populate[articles][populate][tags][count]=true',
  'count inside two lists': `tags?${ALL}&populate[articles][populate][tags][populate][articles][count]=true`,
  'filter in a list': `tags?${ALL}&populate[articles][filters][slug]=none`,
  'filter in two lists': `tags?${ALL}&populate[articles][populate][tags][filters][slug]=none`,
  'filter through a list in a list': `tags?${ALL}&populate[articles][filters][tags][articles][slug]=none`,
  'sorted lists': `tags?${ALL}&populate[articles][sort]=body&populate[articles][fields]=slug`,
  'long texts': 'articles?pagination[pageSize]=100&sort=id:desc',
  'long texts behind a relation': `dossiers?${ALL}&populate=editor.articles`,
  'no relation': 'articles?filters[tags][id][$null]=true',
  'fifty relation filters': `articles?${many(50, (index) => `filters[$or][${index}][tags][articles][slug]=none${index}`)}`,
  'two hundred relation filters': `articles?${many(200, (index) => `filters[$or][${index}][tags][slug]=none${index}`)}`,
  'two hundred nulls': `articles?${many(200, (index) => `filters[$and][${index}][tags][id][$null]=true`)}`,
  'sort through a list': 'articles?sort=tags.slug',
  'sort through two lists': 'tags?sort=articles.tags.slug',
  'twenty sorts through a list': `tags?sort=${Array.from({ length: 20 }, (_, index) => `articles.${['slug', 'title', 'body', 'summary'][index % 4]}`).join(',')}`,
  search: 'articles?_q=nothing',
  'two hundred searches': `articles?${many(200, (index) => `filters[$or][${index}][body][$containsi]=none${index}`)}`,
};

async function prepare(config: string, state: string, registry: Parameters<typeof seed>[2]): Promise<void> {
  await seed(config, state, registry, ARTICLES, () => undefined);
  const links = linkTable('articles', 'tags');
  const statements = [
    `delete from "${links}"`,
    `delete from "tags" where "id" > ${TAGS}`,
    `insert into "${links}"
      ("source_document_id", "source_locale", "target_document_id", "target_locale", "status", "position", "inverse_position")
      select a."document_id", a."locale", t."document_id", t."locale",
        iif(a."published_at" is null, 'draft', 'published'), t."id", a."id"
      from "articles" a, "tags" t`,
    `update "articles" set "body" = printf('%.*c', 1000000, 'x') where "id" > (select max("id") - 200 from "articles")`,
    `update "${COUNTER_TABLE}" set "total" = ${TAGS} where "type" = 'api::tag.tag'`,
  ];
  await withDatabase(config, state, async (database) => {
    for (const statement of statements) await database.prepare(statement).run();
  });
}

/** Resident memory of a process in MB: now, and the most since it was asked for the last time. */
function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

async function measure({ url, pid = 0 }: Server, name: string, path: string): Promise<string> {
  const before = { cpu: cpuTime(pid) ?? 0, memory: memoryOf(pid).now };
  let peak = before.memory;
  let done = false;
  const watch = (async () => {
    while (!done) {
      peak = Math.max(peak, memoryOf(pid).now);
      await sleep(5);
    }
  })();
  const response = await fetch(`${url}/api/${encodeURI(path)}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const body = await response.text();
  done = true;
  await watch;
  await sleep(50);
  const cpu = ((cpuTime(pid) ?? 0) - before.cpu) / 1_000;
  const limit = /"limit":"(\w+)"/.exec(body.slice(0, 500))?.[1] ?? '';
  const size = (body.length / 1_048_576).toFixed(2);
  return `${name.padEnd(34)} ${response.status} ${limit.padEnd(12)} ${cpu.toFixed(2).padStart(6)} s CPU  ${size.padStart(6)} MB body  ${String(peak - before.memory).padStart(5)} MB more memory`;
}

/** Asks every read twice: the first time SQLite has nothing in its cache. */
export async function ceiling(): Promise<void> {
  const { root, registry, configs } = await makeScratch();
  const state = join(root, 'state', 'ceiling');
  await prepare(configs.product, state, registry);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const server = await startServer({ config: configs.product, state, path: '/api/categories', headers });
  for (const [name, path] of Object.entries(READS))
    for (const _ of ['cold', 'warm']) process.stdout.write(`${await measure(server, name, path)}\n`);
}
