/**
 * @module The form of an upload: its files, and what it says about them. Small files are held, large ones go to the
 * bucket in parts while they come in.
 */
import type { Limits, Settings } from '../config.ts';
import { ApiError, invalid } from '../errors.ts';
import { parseForm } from '../request/query-string.ts';
import { joined } from './chunks.ts';
import { decideType } from './decide-type.ts';
import { extensionOfType } from './media-types.ts';
import { type PartHead, readParts } from './multipart.ts';
import { extensionOf, newHash, partName, readable, unfitName } from './names.ts';
import { dimensionsOf, refuseHuge } from './pictures.ts';
import { type Deposit, type MultipartUpload, PART, type Received } from './storage.ts';

interface FormContext {
  readonly deposit: Deposit;
  readonly settings: Settings;
  /** Where a file goes that takes the place of another one. */
  readonly fixed?: { readonly hash: string; readonly extension: string };
}

/** What its first bytes tell of a file. */
type Kind = Pick<Received, 'mime' | 'extension' | 'dimensions'>;

const UNNAMED = 'unamed';

function refuseLarge(name: string, size: number, { sizeLimit }: Settings['upload']): void {
  if (size > sizeLimit)
    throw new ApiError({ kind: 'too-large', message: `${name} exceeds size limit of ${readable(sizeLimit)}.` });
}

class FileReceiver {
  readonly name: string;
  readonly #head: PartHead;
  readonly #place: FormContext;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #size = 0;
  #kind: Kind | undefined;
  #parts: MultipartUpload | undefined;
  #hash: string | undefined;

  /** @throws ApiError 400 for a name that is not taken. */
  constructor(head: PartHead, place: FormContext) {
    this.#head = head;
    this.#place = place;
    this.name = head.filename ? partName(head.filename) : UNNAMED;
  }

  /** Is this what a browser sends for a file input without a file? */
  get isMissing(): boolean {
    return this.#head.filename === '' && this.#size === 0;
  }

  /** @throws ApiError 413 as soon as the file is larger than the setting allows. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length;
    refuseLarge(this.name, this.#size, this.#place.settings.upload);
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    while (this.#held >= PART) await this.#spill();
  }

  /** @throws ApiError 400 for an empty file or name, and for a type that is not taken. */
  async end(): Promise<Received> {
    if (this.#size === 0) throw invalid('Files are empty');
    if (this.#head.filename === '') throw unfitName();
    const rest = joined(...this.#pieces);
    const kind = this.#kindOf(rest);
    const common = { name: this.name, size: this.#size, ...kind };
    const parts = this.#parts;
    if (!parts || this.#hash === undefined) return { ...common, bytes: rest };
    if (rest.length > 0) await parts.add(rest);
    return { ...common, hash: this.#hash, complete: () => parts.complete() };
  }

  /** Decided once, by the first bytes, before any of them is stored. */
  #kindOf(start: Uint8Array): Kind {
    if (this.#kind) return this.#kind;
    const { settings, fixed } = this.#place;
    const mime = decideType({ name: this.name, declared: this.#head.type }, start, settings.upload);
    const dimensions = dimensionsOf(start, mime);
    refuseHuge(dimensions, settings.upload);
    const extension = fixed?.extension ?? (extensionOf(this.name) || extensionOfType(mime));
    this.#kind = { mime, extension, ...(dimensions && { dimensions }) };
    return this.#kind;
  }

  async #spill(): Promise<void> {
    const whole = joined(...this.#pieces);
    const start = whole.subarray(0, PART);
    const { mime, extension } = this.#kindOf(start);
    this.#hash ??= this.#place.fixed?.hash ?? newHash(this.name, extension);
    this.#parts ??= await this.#place.deposit.begin(`${this.#hash}${extension}`, mime);
    this.#pieces = [whole.slice(PART)];
    this.#held -= PART;
    await this.#parts.add(start);
  }
}

export interface Form {
  readonly files: readonly Received[];
  /** Every value of each field, in order. */
  readonly fields: ReadonlyMap<string, readonly unknown[]>;
}

const FILES = 'files';

type Sink = Pick<FileReceiver, 'write'> & { end(): Promise<void> };

/** Small files wait for the end of the form, which may bring their names; no more of them than fit one part. */
async function storeHeld(files: readonly Received[], { deposit }: FormContext): Promise<Received[]> {
  const stored: Received[] = [];
  for (const { bytes, ...file } of files) {
    const hash = file.hash ?? newHash(file.name, file.extension);
    if (bytes) await deposit.put(`${hash}${file.extension}`, bytes, file.mime);
    stored.push({ ...file, hash });
  }
  return stored;
}

const heldBytes = (files: readonly Received[]): number =>
  files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);

/** A part that nobody looks at is no longer than a file may be. */
function ignoredSink({ name }: PartHead, { settings }: FormContext): Sink {
  let size = 0;
  return {
    async write(bytes) {
      size += bytes.length;
      refuseLarge(name, size, settings.upload);
    },
    async end() {},
  };
}

/** The fields of a form, names and values together, are no longer than a body that is no form. */
class Fields {
  readonly values: Map<string, string[]> = new Map();
  readonly #most: number;
  #size = 0;

  constructor({ api }: Settings) {
    this.#most = api.rest.limits.bodyBytes;
  }

  /** @throws ApiError 413 as soon as they are longer. */
  #count(bytes: number): void {
    this.#size += bytes;
    if (this.#size > this.#most)
      throw new ApiError({
        kind: 'too-large',
        message: `Form fields too long. Expected at most ${this.#most} bytes (bodyBytes)`,
      });
  }

  /** `fileInfo[caption]` is a key of `fileInfo`, as in a form of the other kind. @throws ApiError 400 for too many keys. */
  all(limits: Limits): Form['fields'] {
    const all = new Map<string, readonly unknown[]>(this.values);
    const keys = [...this.values].filter(([name]) => /^[^[]+\[/.test(name));
    const pairs = keys.flatMap(([name, said]) => said.map((value) => [name, value]));
    for (const [name, value] of Object.entries(parseForm(new URLSearchParams(pairs).toString(), limits)))
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
        const said = this.values.get(name) ?? [];
        this.values.set(name, said);
        said.push(text + decoder.decode());
      },
    };
  }
}

/**
 * Reads a form to its end. Files under other names than `files` are passed over, as in the reference; so is the empty
 * part that a browser sends for a file input without a file.
 * @throws ApiError 400 or 413 for what is not taken; what was put into the bucket before is in the deposit.
 */
export async function receiveForm(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  place: FormContext,
): Promise<Form> {
  let files: Received[] = [];
  const fields = new Fields(place.settings);
  const fileSink = (receiver: FileReceiver): Sink => ({
    write: (bytes) => receiver.write(bytes),
    async end() {
      if (receiver.isMissing) return;
      files.push(await receiver.end());
      if (heldBytes(files) > PART) files = await storeHeld(files, place);
    },
  });
  const sinkOf = (head: PartHead): Sink => {
    const { name, filename, type } = head;
    const isFile = filename !== undefined || (name === FILES && type !== '');
    if (!isFile) return fields.sink(name);
    return name === FILES ? fileSink(new FileReceiver(head, place)) : ignoredSink(head, place);
  };
  let sink: Sink | undefined;
  for await (const event of readParts(body, contentType, place.settings.upload.maxParts)) {
    if (event.kind === 'head') sink = sinkOf(event.head);
    else if (event.kind === 'bytes') await sink?.write(event.bytes);
    else await sink?.end();
  }
  return { files, fields: fields.all(place.settings.api.rest.limits) };
}
