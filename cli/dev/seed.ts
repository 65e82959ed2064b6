/**
 * @module Plants the demo content of `demo/*.json` through the API, as any client would.
 * A file is `{ "type": "articles", "documents": [{ … }], "drafts": [{ … }] }`; drafts stay unpublished. A relation names
 * documents of earlier files, or earlier ones of the same file, by their `slug`; media name files of `demo/media/`.
 * `localizations` has the values in other locales: `{ "fr": { … } }`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { pathOfType } from '../../src/http/endpoint.ts';
import { isMedia, isRelation } from '../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import { counted } from '../core/counted.ts';
import { readValue } from '../core/read-value.ts';
import { UserError } from '../core/terminal.ts';

const FOLDER = 'demo';

const data = z.record(z.string(), z.unknown());
const document = z.intersection(data, z.object({ localizations: z.optional(z.record(z.string(), data)) }));
const seedFile = z.strictObject({
  /** Plural API name of a collection type, singular one of a single type. */
  type: z.string(),
  documents: z.array(document),
  drafts: z.optional(z.array(document)),
});

type Data = z.output<typeof data>;
type SeedDocument = z.output<typeof document>;

export interface Seed {
  readonly file: string;
  /** Folder of the files that media name. */
  readonly media: string;
  readonly type: ContentType;
  readonly documents: readonly SeedDocument[];
  readonly drafts: readonly SeedDocument[];
}

type Report = (text: string) => void;

function readSeed(root: string, file: string, registry: Registry, report: Report): Seed | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(join(root, file), 'utf8'));
    const { type: path, documents, drafts = [] } = readValue(seedFile, json, file);
    const type = registry.routes.get(path.toLowerCase());
    if (type) return { file, media: join(root, FOLDER, 'media'), type, documents, drafts };
    report(`${file}: skipped; there is no content type "${path}"`);
  } catch (error) {
    const { message } = error as Error;
    report(`${error instanceof UserError ? message : `${file}: ${message}`}; skipped`);
  }
  return undefined;
}

/** Reads the seeds of the project's content types; skips unusable files with one line each. */
export function readSeeds(root: string, registry: Registry, report: Report): readonly Seed[] {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().flatMap((name) => readSeed(root, `${FOLDER}/${name}`, registry, report) ?? []);
}

interface Api {
  readonly base: string;
  readonly token: string;
  /** Was planting interrupted before? Then existing documents are kept. */
  readonly isResumed?: boolean;
}

/** `uid slug` → documentId of planted documents. */
type Planted = Map<string, string>;

type Identified = Readonly<{ documentId: string }>;

/** @returns the JSON of the response; undefined for a 404. @throws UserError for any other error response. */
async function request<T>(api: Api, method: string, path: string, body?: Data | FormData): Promise<T | undefined> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${api.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${api.token}`, ...(!isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify({ data: body }) }),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  if (method === 'GET' && response.status === 404) return undefined;
  throw new UserError(`${method} ${path} responded with ${response.status}: ${text}`);
}

/** @returns the documentId of a document that an interrupted run has planted. */
async function findPlanted(api: Api, { type }: Seed, { slug }: Data): Promise<string | undefined> {
  const isSingle = type.kind === 'singleType';
  if (!api.isResumed || (!isSingle && slug === undefined)) return undefined;
  const filter = isSingle ? '' : `&filters[slug]=${encodeURIComponent(String(slug))}`;
  type Found = { readonly data: Identified | readonly Identified[] };
  const found = await request<Found>(api, 'GET', `${pathOfType(type)}?status=draft${filter}`);
  return [found?.data ?? []].flat()[0]?.documentId;
}

/** @returns the numeric id of the file. */
async function upload(api: Api, folder: string, name: string): Promise<number | undefined> {
  const path = join(folder, name);
  if (!existsSync(path)) throw new UserError(`no file ${name} in ${FOLDER}/media`);
  const form = new FormData();
  form.append('files', new Blob([readFileSync(path)]), name);
  const files = await request<readonly { readonly id: number }[]>(api, 'POST', '/api/upload', form);
  return files?.[0]?.id;
}

/** Replaces slugs in relations by documentIds, then uploads the files of media. */
async function bodyOf(api: Api, values: Data, { type, media }: Seed, planted: Planted): Promise<Data> {
  const body: Data = { ...values };
  for (const [name, value] of Object.entries(values)) {
    const attribute = type.attributes.get(name);
    if (!isRelation(attribute)) continue;
    const { target } = attribute;
    const idOf = (slug: unknown): string => {
      const id = planted.get(`${target} ${slug}`);
      if (id === undefined) throw new UserError(`${name}: no document "${slug}" of ${target} was planted before`);
      return id;
    };
    body[name] = Array.isArray(value) ? value.map(idOf) : idOf(value);
  }
  for (const [name, value] of Object.entries(values)) {
    if (!isMedia(type.attributes.get(name))) continue;
    const ids: unknown[] = [];
    for (const file of [value].flat()) ids.push(await upload(api, media, String(file)));
    body[name] = ids;
  }
  return body;
}

async function plantDocument(api: Api, seed: Seed, document: SeedDocument, status: string, planted: Planted) {
  const { localizations = {}, ...values } = document;
  const { uid, kind } = seed.type;
  const path = pathOfType(seed.type);
  const write = async (method: 'POST' | 'PUT', url: string, written: Data) =>
    request<{ readonly data: Identified }>(api, method, url, await bodyOf(api, written, seed, planted));
  const create = () => write(kind === 'singleType' ? 'PUT' : 'POST', `${path}?status=${status}`, values);
  const documentId = (await findPlanted(api, seed, values)) ?? (await create())?.data.documentId ?? '';
  const one = kind === 'singleType' ? path : `${path}/${documentId}`;
  for (const [locale, localized] of Object.entries(localizations))
    await write('PUT', `${one}?status=${status}&locale=${locale}`, localized);
  planted.set(`${uid} ${values.slug}`, documentId);
}

/** Writes one document after the other, so that ids follow the files. @throws TypeError when the server has stopped. */
export async function plantSeeds(api: Api, seeds: readonly Seed[], report: Report): Promise<void> {
  const planted: Planted = new Map();
  for (const seed of seeds) {
    const { file, documents, drafts } = seed;
    const problems: string[] = [];
    for (const [index, values] of [...documents, ...drafts].entries())
      try {
        const status = index < documents.length ? 'published' : 'draft';
        await plantDocument(api, seed, values, status, planted);
      } catch (error) {
        // Other errors mean that the server has stopped.
        if (!(error instanceof UserError)) throw error;
        problems.push(`document ${index + 1}: ${error.message}`);
      }
    const all = documents.length + drafts.length;
    report(
      problems.length === 0
        ? `  ${file}: ${counted(all, 'document')}`
        : `  ${file}: ${all - problems.length} of ${counted(all, 'document')}; the others do not fit the content types: ${problems[0]}`,
    );
  }
}
