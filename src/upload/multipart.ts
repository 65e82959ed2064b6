/**
 * @module A multipart body → its parts, as they arrive: nothing is gathered here.
 */
import { type MultipartError, make, type PartInfo } from 'multipasta';
import { type ApiError, invalid } from '../errors.ts';
import { multipartChunks } from './chunks.ts';

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
