/**
 * @module The form of an upload. Small files are held in memory, large ones stream to the bucket in parts.
 */

import { openSha256 } from '../../common/digest.ts';
import { ApiError, invalid } from '../../common/errors.ts';
import { parseForm } from '../../content/request/query-string.ts';
import type { AddressedFile } from '../../http/context.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { addressedFields, rejectMore } from './addressed-file.ts';
import { joinedChunks } from './chunks.ts';
import { decideType } from './decide-type.ts';
import { extensionOfType } from './media-types.ts';
import { isHead, type PartHead, readParts } from './multipart.ts';
import { extensionOf, newHash, partName, readable, unfitName } from './names.ts';
import { dimensionsOf, rejectHuge } from './pictures.ts';
import type { Received } from './received.ts';
import { type MultipartUpload, PART_BYTES, type UploadTransaction } from './storage.ts';

interface FormContext {
  readonly transaction: UploadTransaction;
  readonly settings: Settings;
  /** Hash the content of each part? */
  readonly hashed: boolean;
  /** What hashes end in, by the fields that came before the last of so many files. */
  readonly suffix: (fields: Form['fields'], count: number) => string;
  /** Of the file whose bytes are replaced. */
  readonly fixed?: { readonly hash: string; readonly extension: string };
  /** For which the address was made. */
  readonly addressed?: AddressedFile | undefined;
}

/** What the first bytes of a file decide. */
type Kind = Pick<Received, 'mime' | 'extension' | 'dimensions'>;

const UNNAMED = 'unamed';

const tooLarge = (message: string): ApiError => new ApiError({ kind: 'too-large', message });

function rejectLarge(name: string, size: number, { sizeLimit }: Settings['upload']): void {
  if (size > sizeLimit) throw tooLarge(`${name} exceeds size limit of ${readable(sizeLimit)}.`);
}

class FileReceiver {
  readonly name: string;
  readonly #head: PartHead;
  readonly #context: FormContext;
  readonly #suffix: () => string;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #size = 0;
  #kind: Kind | undefined;
  #parts: MultipartUpload | undefined;
  #hash: string | undefined;

  /** @throws ApiError 400 for an invalid name. */
  constructor(head: PartHead, context: FormContext, suffix: () => string) {
    this.#head = head;
    this.#context = context;
    this.#suffix = suffix;
    this.name = head.filename ? partName(head.filename) : UNNAMED;
  }

  /** Browsers send an empty part for a file input without a file. */
  get isMissing(): boolean {
    return this.#head.filename === '' && this.#size === 0;
  }

  /** @throws ApiError 413 beyond `sizeLimit`. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length;
    rejectLarge(this.name, this.#size, this.#context.settings.upload);
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    while (this.#held >= PART_BYTES) await this.#spill();
  }

  /** @throws ApiError 400 for an empty file or name, and for a type that is not allowed. */
  async end(): Promise<Received> {
    if (this.#size === 0) throw invalid('Files are empty');
    if (this.#head.filename === '') throw unfitName();
    const rest = joinedChunks(...this.#pieces);
    const kind = this.#kindOf(rest);
    const common = { name: this.name, size: this.#size, ...kind };
    const parts = this.#parts;
    if (!parts || this.#hash === undefined) return { ...common, bytes: rest };
    if (rest.length > 0) await parts.add(rest);
    return { ...common, hash: this.#hash, complete: () => parts.complete() };
  }

  /** Decides once, before any byte is stored. */
  #kindOf(start: Uint8Array): Kind {
    if (this.#kind) return this.#kind;
    const { settings, fixed } = this.#context;
    const mime = decideType({ name: this.name, declared: this.#head.type }, start, settings.upload);
    const dimensions = dimensionsOf(start, mime);
    rejectHuge(dimensions, settings.upload);
    const extension = fixed?.extension ?? (extensionOf(this.name) || extensionOfType(mime));
    this.#kind = { mime, extension, ...(dimensions && { dimensions }) };
    return this.#kind;
  }

  async #spill(): Promise<void> {
    const whole = joinedChunks(...this.#pieces);
    const start = whole.subarray(0, PART_BYTES);
    const { mime, extension } = this.#kindOf(start);
    this.#hash ??= this.#context.fixed?.hash ?? newHash(this.name, extension) + this.#suffix();
    this.#parts ??= await this.#context.transaction.begin(`${this.#hash}${extension}`, mime);
    this.#pieces = [whole.slice(PART_BYTES)];
    this.#held -= PART_BYTES;
    await this.#parts.add(start);
  }
}

export interface Form {
  readonly files: readonly Received[];
  /** Every value of each field, in order. */
  readonly fields: ReadonlyMap<string, readonly unknown[]>;
  /** Names of the other parts that have bytes of a file. */
  readonly ignored: readonly string[];
  /** Head and SHA-256 of each part, if they are hashed. */
  readonly digests: readonly unknown[];
}

const FILES = 'files';

type Sink = Pick<FileReceiver, 'write'> & { end(): Promise<void> };

/** Stores held files. Until then they wait for `fileInfo`, which may name them, as long as they fit one part. */
async function storeHeld(
  files: readonly Received[],
  { transaction }: FormContext,
  suffix: string,
): Promise<Received[]> {
  const stored: Received[] = [];
  for (const { bytes, ...file } of files) {
    const hash = file.hash ?? newHash(file.name, file.extension) + suffix;
    if (bytes) await transaction.put(`${hash}${file.extension}`, bytes, file.mime);
    stored.push({ ...file, hash });
  }
  return stored;
}

const heldBytes = (files: readonly Received[]): number =>
  files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);

/** An ignored part may be as large as a file. */
function ignoredSink({ name }: PartHead, { settings }: FormContext, ignored: string[]): Sink {
  let size = 0;
  return {
    async write(bytes) {
      size += bytes.length;
      rejectLarge(name, size, settings.upload);
    },
    async end() {
      if (size > 0) ignored.push(name);
    },
  };
}

/** The fields of a form. Names and values together have the limit of other bodies. */
class Fields {
  readonly #values = new Map<string, readonly string[]>();
  readonly #limits: Settings['api']['rest']['limits'];
  #size = 0;

  constructor({ api }: Settings) {
    this.#limits = api.rest.limits;
  }

  /** @throws ApiError 413 beyond `bodyBytes`. */
  #count(bytes: number): void {
    this.#size += bytes;
    const { bodyBytes } = this.#limits;
    if (this.#size > bodyBytes) throw tooLarge(`Form fields too long. Expected at most ${bodyBytes} bytes (bodyBytes)`);
  }

  /** `fileInfo[caption]` is a key of `fileInfo`, as in a URL-encoded form. @throws ApiError 400 for too many keys. */
  all(): Form['fields'] {
    const all = new Map<string, readonly unknown[]>(this.#values);
    const keys = [...this.#values].filter(([name]) => /^[^[]+\[/.test(name));
    const pairs = keys.flatMap(([name, values]) => values.map((value) => [name, value]));
    for (const [name, value] of Object.entries(parseForm(new URLSearchParams(pairs).toString(), this.#limits)))
      if (!all.has(name)) all.set(name, [value]);
    return all;
  }

  sink(name: string): Sink {
    this.#count(name.length);
    const decoder = new TextDecoder();
    let text = '';
    return {
      write: async (bytes) => {
        this.#count(bytes.length);
        text += decoder.decode(bytes, { stream: true });
      },
      end: async () => {
        this.#values.set(name, [...(this.#values.get(name) ?? []), text + decoder.decode()]);
      },
    };
  }
}

/**
 * Reads a form to its end. As in Strapi, files under other names than `files` are ignored, and so are missing ones.
 * @throws ApiError 400 or 413; the transaction has the objects that were stored before.
 */
export async function receiveForm(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  context: FormContext,
): Promise<Form> {
  const { addressed } = context;
  let files: Received[] = [];
  const ignored: string[] = [];
  const fields = new Fields(context.settings);
  const suffix = (count: number) => context.suffix(fields.all(), count);
  const fileSink = (receiver: FileReceiver): Sink => ({
    write: (bytes) => receiver.write(bytes),
    async end() {
      if (receiver.isMissing) return;
      files.push(await receiver.end());
      if (heldBytes(files) > PART_BYTES) files = await storeHeld(files, context, suffix(files.length));
    },
  });
  const sinkOf = (head: PartHead): Sink => {
    const { name, filename, type } = head;
    const isFile = filename !== undefined || (name === FILES && type !== '');
    if (addressed) rejectMore(name, isFile, files.length);
    if (!isFile) return fields.sink(name);
    return name === FILES
      ? fileSink(new FileReceiver({ ...head, type: addressed?.type ?? type }, context, () => suffix(files.length + 1)))
      : ignoredSink(head, context, ignored);
  };
  const digests: unknown[] = [];
  const hashedSink = (head: PartHead): Sink => {
    const sink = sinkOf(head);
    if (!context.hashed) return sink;
    const hash = openSha256();
    return {
      write(bytes) {
        hash.update(bytes);
        return sink.write(bytes);
      },
      end() {
        digests.push([head, hash.digest('hex')]);
        return sink.end();
      },
    };
  };
  let sink: Sink | undefined;
  for await (const event of readParts(body, contentType, context.settings.upload.maxParts)) {
    if (isHead(event)) sink = hashedSink(event.head);
    else if (event.kind === 'bytes') await sink?.write(event.bytes);
    else await sink?.end();
  }
  const sent = fields.all();
  return { files, fields: addressed ? addressedFields(sent, addressed) : sent, ignored, digests };
}
