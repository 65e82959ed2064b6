/**
 * @module The form of an upload: its files, and what it says about them.
 */
import { invalid } from '../errors.ts';
import { PART } from './deposit.ts';
import { newHash } from './file-name.ts';
import { readParts } from './multipart.ts';
import { FileReceiver, type Place, type Received } from './receive-file.ts';

export interface Form {
  readonly files: readonly Received[];
  /** Every value of each field, in order. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

const FILES = 'files';
const LONGEST_FIELD = 1_048_576;

type Sink = Pick<FileReceiver, 'write'> & { end(): Promise<void> };

/** Small files wait for the end of the form, which may bring their names; no more of them than fit one part. */
async function storeHeld(files: readonly Received[], { deposit }: Place): Promise<Received[]> {
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

const ignored: Sink = { write: async () => {}, end: async () => {} };

function fieldSink(name: string, fields: Map<string, readonly string[]>): Sink {
  const decoder = new TextDecoder();
  let text = '';
  return {
    async write(bytes) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > LONGEST_FIELD) throw invalid(`The field '${name}' is too long`);
    },
    async end() {
      fields.set(name, [...(fields.get(name) ?? []), text + decoder.decode()]);
    },
  };
}

/**
 * Reads a form to its end. Files under other names than `files` are passed over, as in the reference; so is the empty
 * part that a browser sends for a file input without a file.
 * @throws ApiError 400 or 413 for what is not taken; what was put into the bucket before is in the deposit.
 */
export async function receiveForm(body: ReadableStream<Uint8Array>, contentType: string, place: Place): Promise<Form> {
  let files: Received[] = [];
  const fields = new Map<string, readonly string[]>();
  const fileSink = (receiver: FileReceiver): Sink => ({
    write: (bytes) => receiver.write(bytes),
    async end() {
      if (receiver.isMissing) return;
      files.push(await receiver.end());
      if (heldBytes(files) > PART) files = await storeHeld(files, place);
    },
  });
  let sink = ignored;
  for await (const event of readParts(body, contentType, place.settings.maxParts)) {
    if (event.kind === 'bytes') await sink.write(event.bytes);
    else if (event.kind === 'end') await sink.end();
    else {
      const { name, filename, type } = event.head;
      const isFile = filename !== undefined || (name === FILES && type !== '');
      if (!isFile) sink = fieldSink(name, fields);
      else sink = name === FILES ? fileSink(new FileReceiver(event.head, place)) : ignored;
    }
  }
  return { files, fields };
}
