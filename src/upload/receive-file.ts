/**
 * @module One file as it arrives: small ones are held, large ones go to the bucket in parts while they come in.
 */
import type { Settings } from '../config.ts';
import { ApiError, invalid } from '../errors.ts';
import { joined, readable } from './bytes.ts';
import { type Deposit, PART, type Parts } from './deposit.ts';
import { checkName, extensionOf, newHash } from './file-name.ts';
import { extensionOfType } from './file-types.ts';
import type { PartHead } from './multipart.ts';
import { type Dimensions, dimensionsOf, refuseHuge } from './picture.ts';
import { decideType } from './type-rules.ts';

/** A file that was received whole. */
export interface Received {
  readonly name: string;
  readonly extension: string;
  readonly mime: string;
  readonly size: number;
  readonly dimensions?: Dimensions;
  /** The bytes; absent: they are in the bucket already, under `hash`. */
  readonly bytes?: Uint8Array;
  readonly hash?: string;
  /** Makes an object of the parts that are in the bucket. Until then nobody sees them. */
  readonly complete?: () => Promise<void>;
}

export interface Place {
  readonly deposit: Deposit;
  readonly settings: Settings['upload'];
  /** Where a file goes that takes the place of another one. */
  readonly fixed?: { readonly hash: string; readonly extension: string };
}

/** What its first bytes tell of a file. */
type Kind = Pick<Received, 'mime' | 'extension' | 'dimensions'>;

const UNNAMED = 'unamed';

export class FileReceiver {
  readonly name: string;
  readonly #head: PartHead;
  readonly #place: Place;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #size = 0;
  #kind: Kind | undefined;
  #parts: Parts | undefined;
  #hash: string | undefined;

  /** @throws ApiError 400 for a name that is not taken. */
  constructor(head: PartHead, place: Place) {
    this.#head = head;
    this.#place = place;
    this.name = checkName(head.filename || UNNAMED);
  }

  /** Is this what a browser sends for a file input without a file? */
  get isMissing(): boolean {
    return this.#head.filename === '' && this.#size === 0;
  }

  /** @throws ApiError 413 as soon as the file is larger than the setting allows. */
  async write(bytes: Uint8Array): Promise<void> {
    const { sizeLimit } = this.#place.settings;
    this.#size += bytes.length;
    if (this.#size > sizeLimit)
      throw new ApiError({ kind: 'too-large', message: `${this.name} exceeds size limit of ${readable(sizeLimit)}.` });
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    while (this.#held >= PART) await this.#spill();
  }

  /** @throws ApiError 400 for an empty file, and for a type that is not taken. */
  async end(): Promise<Received> {
    if (this.#size === 0) throw invalid('Files are empty');
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
    this.#kind ??= this.#decide(start);
    return this.#kind;
  }

  #decide(start: Uint8Array): Kind {
    const { settings, fixed } = this.#place;
    const mime = decideType({ name: this.name, declared: this.#head.type }, start, settings);
    const dimensions = dimensionsOf(start, mime);
    refuseHuge(dimensions, settings);
    const extension = fixed?.extension ?? (extensionOf(this.name) || extensionOfType(mime));
    return { mime, extension, ...(dimensions && { dimensions }) };
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
