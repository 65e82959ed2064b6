/**
 * @module The demo content in `demo/*.json`, written through the API as any client would.
 * A file is `{ "type": "articles", "documents": [{ … }], "drafts": [{ … }] }`; drafts stay unpublished.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { ContentType, Registry } from '../registry/model.ts';
import { UserError } from './terminal.ts';

const FOLDER = 'demo';

const document = z.record(z.string(), z.unknown());
const seedFile = z.strictObject({
  /** Plural API name of a collection type, singular one of a single type. */
  type: z.string(),
  documents: z.array(document),
  drafts: z.optional(z.array(document)),
});

export interface Seed {
  readonly file: string;
  readonly type: ContentType;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly drafts: readonly Readonly<Record<string, unknown>>[];
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

/**
 * The seeds of the content types that the project has; files about others are left out.
 * @throws UserError that names the file and the key.
 */
export function readSeeds(root: string, registry: Registry): readonly Seed[] {
  const folder = join(root, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().flatMap((name) => {
    const file = `${FOLDER}/${name}`;
    const { type: path, documents, drafts = [] } = parse(root, file);
    const type = registry.routes.get(path.toLowerCase());
    return type ? [{ file, type, documents, drafts }] : [];
  });
}

interface Api {
  readonly base: string;
  readonly token: string;
}

async function send({ base, token }: Api, method: 'POST' | 'PUT', path: string, data: unknown): Promise<void> {
  const response = await fetch(`${base}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  if (response.ok) return;
  throw new UserError(`${method} /api/${path} answered ${response.status}: ${await response.text()}`);
}

async function plant(api: Api, { file, type, documents, drafts }: Seed): Promise<void> {
  const single = type.kind === 'singleType';
  const path = single ? type.singularName : type.pluralName;
  const planted = [
    ...documents.map((data) => ({ data, status: 'published' })),
    ...drafts.map((data) => ({ data, status: 'draft' })),
  ];
  for (const [index, { data, status }] of planted.entries()) {
    try {
      await send(api, single ? 'PUT' : 'POST', `${path}?status=${status}`, data);
    } catch (error) {
      throw new UserError(`${file}: document ${index + 1}: ${(error as Error).message}`);
    }
  }
}

/**
 * Writes the seeds, one document after the other, so that their ids follow the files.
 * @throws UserError with the file, the number of the document and what the API answered.
 */
export async function plantSeeds(api: Api, seeds: readonly Seed[], said: (text: string) => void): Promise<void> {
  for (const seed of seeds) {
    await plant(api, seed);
    said(`  ${seed.file}: ${seed.documents.length + seed.drafts.length} document(s)`);
  }
}
