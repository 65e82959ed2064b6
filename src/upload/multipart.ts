/**
 * @module A multipart body → its parts, as they arrive: nothing is gathered here.
 */
import { type MultipartError, make, type PartInfo } from 'multipasta';
import { type ApiError, invalid } from '../errors.ts';
import { LONGEST_BOUNDARY, multipartChunks } from './chunks.ts';

export interface PartHead {
  readonly name: string;
  /** Absent: the part is a field. */
  readonly filename?: string;
  /** Media type, in small letters and without parameters; `''` when none is given. */
  readonly type: string;
}

/** What the body says next. A part is a head, then bytes in any number of pieces, then its end. */
export type PartEvent =
  | { readonly kind: 'head'; readonly head: PartHead }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

const BOUNDARY = /^(?! *$)[ !#-[\]-~]+$/;
/** Bytes of the headers of one part, as the library has it. */
const LONGEST_HEADERS = 16 * 1024;

const malformed = (what: string): ApiError => invalid(`Malformed multipart body: ${what}`);

function explained(error: MultipartError, maxParts: number): ApiError {
  switch (error._tag) {
    case 'EndNotReached':
      return malformed('it ends too early');
    case 'ReachedLimit':
      return invalid(`Too many parts. Expected at most ${maxParts}`, { limit: 'maxParts' });
    default:
      return malformed('a part has headers that cannot be read');
  }
}

const PARAMETER = /;\s*([^=;\s]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g;

const parametersOf = (header: string): ReadonlyMap<string, string> =>
  new Map(
    [...header.matchAll(PARAMETER)].map(([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      (quoted ?? plain).replace(/\\(["\\])/g, '$1'),
    ]),
  );

function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).get('boundary');
  if (boundary === undefined) throw malformed('it has no boundary');
  if (boundary.length > LONGEST_BOUNDARY || !BOUNDARY.test(boundary))
    throw malformed(`its boundary must have 1 to ${LONGEST_BOUNDARY} printable characters`);
  return boundary;
}

const asText = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' ? header : (header?.[0] ?? '');

/** Browsers escape these three, and no percent sign. */
const unescaped = (value: string | undefined): string | undefined =>
  value?.replace(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code));

/** `UTF-8''%C3%BC.png`, as some clients write names that are not ASCII: https://www.rfc-editor.org/rfc/rfc8187 */
const extended = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : decodeURIComponent(value.replace(/^utf-8'[^']*'/i, ''));

/** Every quote that is opened is closed; else nobody can tell where a name ends. */
const CLOSED = /^(?:[^"]|"(?:\\.|[^"\\])*")*$/;

/**
 * The library reads parameters in Latin-1 only, so they are read here. It has refused what cannot be decoded.
 * @throws ApiError 400 for a quote that is not closed.
 */
function headOf({ headers }: PartInfo): PartHead {
  const disposition = asText(headers['content-disposition']);
  if (!CLOSED.test(disposition)) throw malformed('a part has headers that cannot be read');
  const parameters = parametersOf(disposition);
  const filename = unescaped(parameters.get('filename')) ?? extended(parameters.get('filename*'));
  const [type = ''] = asText(headers['content-type']).split(';');
  const name = unescaped(parameters.get('name')) ?? '';
  return { name, type: type.trim().toLowerCase(), ...(filename !== undefined && { filename }) };
}

/** Feeds the library, and keeps what it tells until that is taken. Behind the closing delimiter nothing counts. */
class Parser {
  readonly #maxParts: number;
  readonly #parser: ReturnType<typeof make>;
  #events: PartEvent[] = [];
  #failure: MultipartError | undefined;
  #done = false;
  /** Bytes that belong to no content of a part: headers, delimiters, what stands before and behind. */
  #beside = 0;

  constructor(boundary: string, maxParts: number) {
    this.#maxParts = maxParts;
    this.#parser = make({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      maxParts,
      isFile: () => true,
      onField: () => {},
      onFile: (info) => {
        this.#tell({ kind: 'head', head: headOf(info) });
        return (bytes) => this.#tell(bytes ? { kind: 'bytes', bytes } : { kind: 'end' });
      },
      onError: (error) => {
        if (!this.#done) this.#failure ??= error;
      },
      onDone: () => {
        this.#done = true;
      },
    });
  }

  #tell(event: PartEvent): void {
    if (this.#done) return;
    if (event.kind === 'bytes') this.#beside -= event.bytes.length;
    this.#events.push(event);
  }

  #taken(): readonly PartEvent[] {
    if (this.#failure) throw explained(this.#failure, this.#maxParts);
    if (this.#beside > (this.#maxParts + 1) * LONGEST_HEADERS) throw malformed('it has too much beside its parts');
    const ready = this.#events;
    this.#events = [];
    return ready;
  }

  write(chunk: Uint8Array): readonly PartEvent[] {
    this.#beside += chunk.length;
    try {
      if (!this.#done) this.#parser.write(chunk);
    } catch {
      // Percent signs of a `filename*` that mean nothing, or an open quote.
      this.#failure ??= { _tag: 'InvalidDisposition' };
    }
    return this.#taken();
  }

  /** The library keeps the last piece until it knows that nothing follows. */
  end(): readonly PartEvent[] {
    if (!this.#done) this.#parser.end();
    const last = this.#taken();
    if (!this.#done) throw explained({ _tag: 'EndNotReached' }, this.#maxParts);
    return last;
  }
}

/**
 * Reads a body. What the caller does between two events holds the sender back.
 * @throws ApiError 400 for a body that is malformed, ends too early, has too many parts, or too much beside them.
 */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  maxParts: number,
): AsyncGenerator<PartEvent> {
  const parser = new Parser(boundaryOf(contentType), maxParts);
  for await (const chunk of multipartChunks(body)) yield* parser.write(chunk);
  yield* parser.end();
}
