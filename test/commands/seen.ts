/**
 * @module What callers and operators see of a deployment: all documents in each version, with what stands behind them.
 */
import { listObjects } from '../../cli/core/storage/objects.ts';
import { type Model, type Owner, partUid, pathOf, uidOf } from '../generators/models.ts';
import { seeLibrary } from './facets/library.ts';
import { seeRights } from './facets/rights.ts';
import { seeSessions } from './facets/sessions.ts';
import type { Worker } from './project.ts';

type Json = Readonly<Record<string, unknown>>;

/** As text by subject: a list of documents of a version, of tokens, of objects. */
export type Seen = Readonly<Record<string, string>>;

function populateOf({ attributes }: Owner, model: Model): Json {
  const entries = [...attributes].flatMap(([name, json]): [string, unknown][] => {
    const inside = (uid: unknown) => {
      const part = model.parts.find((each) => partUid(each) === uid);
      const below = part ? populateOf(part, model) : {};
      return Object.keys(below).length > 0 ? { populate: below } : true;
    };
    if (json.type === 'relation') return [[name, json.relation === 'morphToMany' ? true : { fields: ['documentId'] }]];
    if (json.type === 'media') return [[name, { fields: ['name', 'hash'] }]];
    if (json.type === 'component') return [[name, inside(json.component)]];
    if (json.type !== 'dynamiczone') return [];
    return [[name, { on: Object.fromEntries((json.components as string[]).map((uid) => [uid, inside(uid)])) }]];
  });
  return Object.fromEntries(entries);
}

function* parameters(value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) yield `${path}=${encodeURIComponent(String(value))}`;
  else for (const [key, item] of Object.entries(value)) yield* parameters(item, `${path}[${key}]`);
}

/** Numbers of rows and times differ after a command that writes rows again; they are no content. */
const LEFT_OUT = new Set(['id', 'createdAt', 'updatedAt', 'url', 'localizations']);

/** Keys in order, without what is left out. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // A target of several types: what is in it is seen where it stands.
  if ('__type' in value && 'documentId' in value) return { __type: value.__type, documentId: value.documentId };
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  const shown = entries.map(
    ([key, item]) => [key, key === 'publishedAt' ? typeof item === 'string' || item === true : sorted(item)] as const,
  );
  return Object.fromEntries(shown.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export const asText = (list: readonly unknown[]): string =>
  list
    .map((item) => JSON.stringify(sorted(item)))
    .toSorted()
    .join('\n');

/** Rows of the system, without numbers and times. */
const ROWS: Readonly<Record<string, string>> = {
  schedules: 'select type, document_id, locale, action, at, error from edgewise_scheduled',
  tokens: 'select name, type, permissions from strapi_api_tokens',
  users: 'select username, email, password, blocked from up_users',
  messages: 'select endpoint, event, type, document_id, locale from edgewise_outbox where due_at is not null',
  files: 'select document_id, name, hash, ext from files',
};

/** What is seen of one subject more, each in a file of its own. */
const FACETS: readonly ((worker: Worker, model: Model) => Promise<Seen>)[] = [seeRights, seeLibrary, seeSessions];

/** Versions that have values, by document. */
const VERSIONS = `select type, document_id, locale, version, count(*) as n from edgewise_history
  where entry is not null group by type, document_id, locale, version`;

export async function seenBy(worker: Worker, model: Model): Promise<Seen> {
  const { ask, storage } = worker;
  const seen: Record<string, string> = {};
  for (const type of model.types) {
    const populate = [...parameters(populateOf(type, model), 'populate')].join('&');
    for (const status of type.drafts ? ['draft', 'published'] : ['published']) {
      const shown: unknown[] = [];
      // A single type shows one locale at a time.
      for (const locale of type.localized ? (type.single ? ['en', 'fr'] : ['*']) : [undefined]) {
        const of = locale === undefined ? '' : `&locale=${locale}`;
        const path = `${pathOf(type)}?status=${status}${of}&pagination[limit]=100&${populate}`;
        const { status: code, body } = await ask('GET', path);
        if (code === 404 && type.single) continue;
        if (code !== 200) throw new Error(`GET ${path}: ${code} ${JSON.stringify(body)}`);
        shown.push(...[(body as { data: unknown }).data ?? []].flat());
      }
      seen[`${uidOf(type)} ${status}`] = asText(shown);
    }
  }
  const rowsOf = async (sql: string) => (await storage.db.prepare(sql).all()).results;
  for (const [name, sql] of Object.entries(ROWS)) seen[name] = asText(await rowsOf(sql));
  seen.versions = asText(await rowsOf(VERSIONS));
  for (const facet of FACETS) Object.assign(seen, await facet(worker, model));
  const objects = await listObjects(storage.bucket);
  seen.objects = asText(objects.map(({ key, size }) => ({ key, size })).filter(({ key }) => !key.startsWith('trash/')));
  return seen;
}

/** The same after a name has become another. */
export const renamed = (seen: Seen, from: string, to: string): Seen =>
  Object.fromEntries(
    Object.entries(seen).map(([subject, text]) => [
      subject.replaceAll(from, to),
      asText(
        text
          .replaceAll(from, to)
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      ),
    ]),
  );

export const without = (seen: Seen, ...subjects: readonly string[]): Seen =>
  Object.fromEntries(Object.entries(seen).filter(([subject]) => !subjects.includes(subject)));
