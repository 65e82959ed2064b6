/**
 * @module A multipart body → its parts, as they arrive: nothing is gathered here.
 */
import { type MultipartError, make, type PartInfo } from 'multipasta';
import { type ApiError, invalid } from '../errors.ts';

export function joined(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const CHUNK = 256 * 1024;
const DASH = 0x2d;

/** Pieces of `CHUNK` bytes or more where the stream can gather them, else as they come. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    yield* body;
    return;
  }
  try {
    for (;;) {
      const { value, done } = await reader.readAtLeast(CHUNK, new Uint8Array(CHUNK));
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    reader.releaseLock();
  }
}

/**
 * Reads what is left of a body that is refused. A connection that is answered while it is still sending breaks, and
 * the client would not learn why.
 */
export async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  try {
    for await (const _ of chunksOf(body));
  } catch {
    // The client has gone away.
  }
}

function trailingDashes(bytes: Uint8Array): number {
  const last = bytes.findLastIndex((byte) => byte !== DASH);
  return bytes.length - 1 - last;
}

/**
 * The pieces of a multipart body, for a parser that misses the end when it arrives cut between its two last dashes:
 * dashes wait for what follows.
 */
export async function* multipartChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array = new Uint8Array();
  for await (const chunk of chunksOf(body)) {
    const bytes: Uint8Array = waiting.length > 0 ? joined(waiting, chunk) : chunk;
    const end = bytes.length - trailingDashes(bytes);
    waiting = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (waiting.length > 0) yield waiting;
}

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

const malformed = (what: string): ApiError => invalid(`Malformed multipart body: ${what}`);

function explained(error: MultipartError, maxParts: number): ApiError {
  switch (error._tag) {
    case 'InvalidBoundary':
      return malformed('it has no boundary');
    case 'EndNotReached':
      return malformed('it ends too early');
    case 'ReachedLimit':
      return invalid(`Too many parts. Expected at most ${maxParts}`, { limit: 'maxParts' });
    default:
      return malformed('a part has headers that cannot be read');
  }
}

const asText = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' ? header : (header?.[0] ?? '');

const PARAMETER = /;\s*([^=;\s]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g;

/** `name="…"` of a Content-Disposition: escaped as browsers do (%22) or with a backslash, as curl does. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = [...header.matchAll(PARAMETER)].map(([, name = '', quoted, plain = '']) => {
    const value = (quoted ?? plain).replace(/\\(["\\])/g, '$1');
    return [name.toLowerCase(), value.replace(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code))] as const;
  });
  return new Map(found);
}

/** `UTF-8''%C3%BC.png`, as some clients write names that are not ASCII: https://www.rfc-editor.org/rfc/rfc8187 */
const extended = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : decodeURIComponent(value.replace(/^utf-8'[^']*'/i, ''));

/** The library reads parameters in Latin-1 only, so they are read here. It has refused what cannot be decoded. */
function headOf({ headers }: PartInfo): PartHead {
  const parameters = parametersOf(asText(headers['content-disposition']));
  const filename = parameters.get('filename') ?? extended(parameters.get('filename*'));
  const [type = ''] = asText(headers['content-type']).split(';');
  const name = parameters.get('name') ?? '';
  return { name, type: type.trim().toLowerCase(), ...(filename !== undefined && { filename }) };
}

/**
 * Reads a body. What the caller does between two events holds the sender back.
 * @throws ApiError 400 for a body that is malformed, ends too early, or has too many parts.
 */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  maxParts: number,
): AsyncGenerator<PartEvent> {
  let events: PartEvent[] = [];
  let failure: MultipartError | undefined;
  let done = false;
  const parser = make({
    headers: { 'content-type': contentType },
    maxParts,
    isFile: () => true,
    onField: () => {},
    onFile: (info) => {
      events.push({ kind: 'head', head: headOf(info) });
      return (bytes) => events.push(bytes ? { kind: 'bytes', bytes } : { kind: 'end' });
    },
    onError: (error) => {
      failure ??= error;
    },
    onDone: () => {
      done = true;
    },
  });
  const taken = (): readonly PartEvent[] => {
    if (failure) throw explained(failure, maxParts);
    const ready = events;
    events = [];
    return ready;
  };
  taken();
  for await (const chunk of multipartChunks(body)) {
    try {
      parser.write(chunk);
    } catch {
      // Percent signs of a `filename*` that mean nothing.
      failure ??= { _tag: 'InvalidDisposition' };
    }
    yield* taken();
  }
  // The library keeps the last piece until it knows that nothing follows.
  parser.end();
  const last = taken();
  if (!done) throw explained({ _tag: 'EndNotReached' }, maxParts);
  yield* last;
}
