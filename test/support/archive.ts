/**
 * @module Archives as Strapi writes them, made in a test: schemas, rows, links, bytes.
 */
import { createCipheriv, scryptSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

export interface ArchiveParts {
  readonly metadata?: unknown;
  readonly schemas?: readonly object[];
  readonly entities?: readonly object[];
  readonly links?: readonly object[];
  readonly configuration?: readonly object[];
  /** Key → bytes; each gets a sidecar. */
  readonly uploads?: Readonly<Record<string, string | Buffer>>;
  /** Further files by name. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

const METADATA = { createdAt: '2026-01-31T12:00:00.000Z', strapi: { version: '5.54.0' } };

const lines = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n');

/** The files of an archive in the order in which Strapi writes them; `metadata: null` leaves it out. */
export function archiveFiles(parts: ArchiveParts): readonly (readonly [string, string | Buffer])[] {
  const { metadata = METADATA, schemas, entities, links, configuration, uploads = {}, files = {} } = parts;
  const staged = (stage: string, values: readonly object[] | undefined) =>
    values ? [[`${stage}/${stage}_00001.jsonl`, lines(values)] as const] : [];
  return [
    ...staged('schemas', schemas),
    ...staged('entities', entities),
    ...Object.entries(uploads).flatMap(([key, bytes]) => [
      [`assets/metadata/${key}.json`, JSON.stringify({ id: 1, hash: key })] as const,
      [`assets/uploads/${key}`, bytes] as const,
    ]),
    ...staged('links', links),
    ...staged('configuration', configuration),
    ...Object.entries(files),
    ...(metadata === null ? [] : [['metadata.json', JSON.stringify(metadata)] as const]),
  ];
}

/** A tar of files. */
export async function tarOf(files: readonly (readonly [string, string | Buffer])[]): Promise<Buffer> {
  const tar = pack();
  for (const [name, bytes] of files) tar.entry({ name, mtime: new Date(0) }, Buffer.from(bytes));
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The files of a tar. */
export async function filesOf(tar: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const reader = extract();
  reader.end(tar);
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    found.set(entry.header.name, Buffer.concat(chunks));
  }
  return found;
}

/** The values of the lines of a stage. */
export const linesOf = (files: ReadonlyMap<string, Buffer>, stage: string): readonly unknown[] =>
  String(files.get(`${stage}/${stage}_00001.jsonl`))
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** As `strapi export --no-encrypt` packs it. */
export const archiveOf = async (parts: ArchiveParts): Promise<Buffer> => gzipSync(await tarOf(archiveFiles(parts)));

/** As `strapi export --key` enciphers it. */
export function enciphered(bytes: Buffer, passphrase: string): Buffer {
  const cipher = createCipheriv('aes-128-ecb', scryptSync(passphrase, '', 16), null);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}
