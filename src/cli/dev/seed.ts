/**
 * @module The demo content in `demo/*.json`, written through the API as any client would.
 * A file is `{ "type": "articles", "documents": [{ … }], "drafts": [{ … }] }`; drafts stay unpublished. A relation names
 * documents of earlier files, or earlier ones of the same, by their `slug`; media name files of `demo/media/`. What a
 * document is in other locales stands in its `localizations`: `{ "fr": { … } }`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { ContentType, Registry } from '../../registry/model.ts';
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

export interface Seed {
  readonly file: string;
  /** Folder of the files that media name. */
  readonly media: string;
  readonly type: ContentType;
  readonly documents: readonly SeedDocument[];
  readonly drafts: readonly SeedDocument[];
}

function parse(root: string, file: string): z.output<typeof seedFile> {
  try {
    return seedFile.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
  } catch (error) {
    const issues = error instanceof z.core.$ZodError ? error.issues : undefined;
    const lines = issues?.map(({ path, message }) => `${path.join('.') || '(top level)'}: ${message}`);
    throw new UserError(`${file}: ${lines?.join('; ') ?? (error as Error).message}`);
  }
}

type Said = (text: string) => void;

function readSeed(root: string, file: string, registry: Registry, said: Said): Seed | undefined {
  try {
    const { type: path, documents, drafts = [] } = parse(root, file);
    const type = registry.routes.get(path.toLowerCase());
    if (type) return { file, media: join(root, FOLDER, 'media'), type, documents, drafts };
    said(`${file}: skipped; there is no content type "${path}"`);
  } catch (error) {
    said(`${(error as Error).message}; skipped`);
  }
  return undefined;
}

/** The seeds of the content types that the project has; a file that cannot be used is skipped with one line. */
export function readSeeds(root: string, registry: Registry, said: Said): readonly Seed[] {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().flatMap((name) => readSeed(root, `${FOLDER}/${name}`, registry, said) ?? []);
}

interface Api {
  readonly base: string;
  readonly token: string;
  /** Was planting interrupted before? Then documents that are there already are kept. */
  readonly isResumed?: boolean;
}

/** slug → documentId of what has been planted, by uid of the content type. */
type Planted = Map<string, Map<string, string>>;
type Data = Readonly<Record<string, unknown>>;
type SeedDocument = z.output<typeof document>;

const reject = (method: string, path: string, status: number, text: string): never => {
  throw new UserError(`${method} /api/${path} answered ${status}: ${text}`);
};

/** @returns the documentId. */
async function send({ base, token }: Api, method: 'POST' | 'PUT', path: string, data: Data): Promise<string> {
  const response = await fetch(`${base}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  const text = await response.text();
  if (!response.ok) reject(method, path, response.status, text);
  return (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
}

/** Looks for a document that an interrupted run has planted. @returns its documentId. */
async function findPlanted({ base, token }: Api, { type }: Seed, { slug }: Data): Promise<string | undefined> {
  const isSingle = type.kind === 'singleType';
  if (!isSingle && slug === undefined) return undefined;
  const filter = `&filters[slug]=${encodeURIComponent(String(slug))}`;
  const path = isSingle ? `${type.singularName}?status=draft` : `${type.pluralName}?status=draft${filter}`;
  const response = await fetch(`${base}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) reject('GET', path, response.status, text);
  const { data } = JSON.parse(text) as { readonly data: { documentId: string } | readonly { documentId: string }[] };
  return (Array.isArray(data) ? data[0] : data)?.documentId;
}

/** @returns the numeric id of the file. */
async function upload({ base, token }: Api, folder: string, name: string): Promise<number> {
  const path = join(folder, name);
  if (!existsSync(path)) throw new UserError(`no file ${name} in ${FOLDER}/media`);
  const form = new FormData();
  form.append('files', new Blob([readFileSync(path)]), name);
  const response = await fetch(`${base}/api/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const text = await response.text();
  if (!response.ok) reject('POST', 'upload', response.status, text);
  return (JSON.parse(text) as readonly { id: number }[])[0]?.id ?? 0;
}

/** Uploads what the media attributes of a document name. */
async function withMedia(api: Api, data: Data, { type, media }: Seed): Promise<Data> {
  const body: Record<string, unknown> = { ...data };
  for (const [name, value] of Object.entries(data)) {
    if (type.attributes.get(name)?.kind !== 'media') continue;
    const files = Array.isArray(value) ? value : [value];
    const ids: number[] = [];
    for (const file of files) ids.push(await upload(api, media, String(file)));
    body[name] = ids;
  }
  return body;
}

/** The body of a document: slugs in relations become documentIds. */
function bodyOf(data: Data, type: ContentType, planted: Planted): Data {
  const entries = Object.entries(data).map(([name, value]) => {
    const attribute = type.attributes.get(name);
    if (attribute?.kind !== 'relation') return [name, value];
    const idOf = (slug: unknown): string => {
      const id = planted.get(attribute.target)?.get(String(slug));
      if (id === undefined)
        throw new UserError(`${name}: no document "${slug}" of ${attribute.target} was planted before`);
      return id;
    };
    return [name, Array.isArray(value) ? value.map(idOf) : idOf(value)];
  });
  return Object.fromEntries(entries);
}

/** @returns the documentId. */
async function plantDocument(
  api: Api,
  seed: Seed,
  { localizations = {}, ...data }: SeedDocument,
  status: string,
  planted: Planted,
): Promise<string> {
  const { type } = seed;
  const single = type.kind === 'singleType';
  const path = single ? type.singularName : type.pluralName;
  const bodyFor = (written: Data) => withMedia(api, bodyOf(written, type, planted), seed);
  const found = api.isResumed ? await findPlanted(api, seed, data) : undefined;
  const documentId =
    found ?? (await send(api, single ? 'PUT' : 'POST', `${path}?status=${status}`, await bodyFor(data)));
  const one = single ? path : `${path}/${documentId}`;
  for (const [locale, localized] of Object.entries(localizations))
    await send(api, 'PUT', `${one}?status=${status}&locale=${locale}`, await bodyFor(localized));
  return documentId;
}

interface Outcome {
  readonly planted: number;
  /** What was wrong with the first document that was skipped. */
  readonly problem?: string;
}

async function plant(api: Api, seed: Seed, planted: Planted): Promise<Outcome> {
  const { type, documents, drafts } = seed;
  const slugs = new Map<string, string>();
  planted.set(type.uid, slugs);
  const all = [
    ...documents.map((data) => ({ data, status: 'published' })),
    ...drafts.map((data) => ({ data, status: 'draft' })),
  ];
  const outcome: { planted: number; problem?: string } = { planted: 0 };
  for (const [index, { data, status }] of all.entries()) {
    try {
      slugs.set(String(data.slug), await plantDocument(api, seed, data, status, planted));
      outcome.planted += 1;
    } catch (error) {
      // A server that is gone is no mistake of the document.
      if (!(error instanceof UserError)) throw error;
      outcome.problem ??= `document ${index + 1}: ${(error as Error).message}`;
    }
  }
  return outcome;
}

/**
 * Writes the seeds, one document after the other, so that their ids follow the files. What does not fit is skipped.
 * @throws TypeError when the server is gone; planting is resumed at the next start.
 */
export async function plantSeeds(api: Api, seeds: readonly Seed[], said: Said): Promise<void> {
  const documents: Planted = new Map();
  for (const seed of seeds) {
    const { planted, problem } = await plant(api, seed, documents);
    const all = seed.documents.length + seed.drafts.length;
    const rest = problem === undefined ? '' : ` of ${all}; the others do not fit the content types: ${problem}`;
    said(`  ${seed.file}: ${planted} document(s)${rest}`);
  }
}
