/**
 * @module A multipart body → its parts, as they arrive.
 */
import { type MultipartError, make, type PartInfo } from 'multipasta';
import { type ApiError, invalid } from '../../common/errors.ts';
import { kindOf } from '../../common/kinds.ts';
import { MAX_BOUNDARY, multipartChunks } from './chunks.ts';

export interface PartHead {
  readonly name: string;
  /** Absent: the part is a field. */
  readonly filename?: string;
  /** Media type in small letters, without parameters; `''` without one. */
  readonly type: string;
}

/** A part is a head, any number of bytes, an end. */
export type PartEvent =
  | { readonly kind: 'head'; readonly head: PartHead }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

export const isHead = kindOf('head');

const BOUNDARY = /^(?! *$)[ !#-[\]-~]+$/;
/** Bytes of the headers of one part, in the library. */
const MAX_HEADERS = 16 * 1024;

const malformed = (what: string): ApiError => invalid(`Malformed multipart body: ${what}`);

function explained(error: MultipartError, maxParts: number): ApiError {
  switch (error._tag) {
    case 'EndNotReached':
      return malformed('it ends too early');
    case 'ReachedLimit':
      return invalid(`Too many parts. Expected at most ${maxParts}`, { limit: 'maxParts' });
    case 'BadHeaders':
    case 'InvalidBoundary':
    case 'InvalidDisposition':
      return malformed('a part has headers that cannot be read');
    default:
      return error satisfies never;
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
  if (boundary.length > MAX_BOUNDARY || !BOUNDARY.test(boundary))
    throw malformed(`its boundary must have 1 to ${MAX_BOUNDARY} printable characters`);
  return boundary;
}

const firstOf = (header: string | readonly string[] | undefined): string => [header].flat()[0] ?? '';

/** Browsers escape only these three characters. */
const unescaped = (value: string | undefined): string | undefined =>
  value?.replace(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code));

/** `UTF-8''%C3%BC.png` → `ü.png`. https://www.rfc-editor.org/rfc/rfc8187 */
const extended = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : decodeURIComponent(value.replace(/^utf-8'[^']*'/i, ''));

/** Every quote is closed. */
const CLOSED = /^(?:[^"]|"(?:\\.|[^"\\])*")*$/;

/** Reads parameters again, which the library decodes as Latin-1. @throws ApiError 400 for an open quote. */
function headOf({ headers }: PartInfo): PartHead {
  const disposition = firstOf(headers['content-disposition']);
  if (!CLOSED.test(disposition)) throw malformed('a part has headers that cannot be read');
  const parameters = parametersOf(disposition);
  const filename = unescaped(parameters.get('filename')) ?? extended(parameters.get('filename*'));
  const [type = ''] = firstOf(headers['content-type']).split(';');
  const name = unescaped(parameters.get('name')) ?? '';
  return { name, type: type.trim().toLowerCase(), ...(filename !== undefined && { filename }) };
}

/** Queues the events of the library. Ignores everything after the last delimiter. */
class Parser {
  readonly #maxParts: number;
  readonly #parser: ReturnType<typeof make>;
  #events: PartEvent[] = [];
  #failure: MultipartError | undefined;
  #done = false;
  /** Bytes outside of the content of parts. */
  #overhead = 0;

  constructor(boundary: string, maxParts: number) {
    this.#maxParts = maxParts;
    this.#parser = make({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      maxParts,
      isFile: () => true,
      onField: () => {},
      onFile: (info) => {
        this.#queue({ kind: 'head', head: headOf(info) });
        return (bytes) => this.#queue(bytes ? { kind: 'bytes', bytes } : { kind: 'end' });
      },
      onError: (error) => {
        if (!this.#done) this.#failure ??= error;
      },
      onDone: () => {
        this.#done = true;
      },
    });
  }

  #queue(event: PartEvent): void {
    if (this.#done) return;
    if (event.kind === 'bytes') this.#overhead -= event.bytes.length;
    this.#events.push(event);
  }

  #take(): readonly PartEvent[] {
    if (this.#failure) throw explained(this.#failure, this.#maxParts);
    if (this.#overhead > (this.#maxParts + 1) * MAX_HEADERS) throw malformed('it has too much beside its parts');
    const ready = this.#events;
    this.#events = [];
    return ready;
  }

  write(chunk: Uint8Array): readonly PartEvent[] {
    this.#overhead += chunk.length;
    try {
      if (!this.#done) this.#parser.write(chunk);
    } catch {
      // A malformed escape of `filename*`, or an open quote.
      this.#failure ??= { _tag: 'InvalidDisposition' };
    }
    return this.#take();
  }

  /** Returns the events that the library held back. */
  end(): readonly PartEvent[] {
    if (!this.#done) this.#parser.end();
    const last = this.#take();
    if (!this.#done) throw explained({ _tag: 'EndNotReached' }, this.#maxParts);
    return last;
  }
}

/** Reads a body, as fast as the caller takes events. @throws ApiError 400 for a malformed body, and for too many parts. */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  maxParts: number,
): AsyncGenerator<PartEvent> {
  const parser = new Parser(boundaryOf(contentType), maxParts);
  for await (const chunk of multipartChunks(body)) yield* parser.write(chunk);
  yield* parser.end();
}
