/**
 * @module A bucket of R2 in memory. Each call takes a turn of the event loop, so that the end of one that nobody waits for
 * comes too late.
 */

interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly httpMetadata?: R2HTTPMetadata | Headers;
  readonly customMetadata?: Record<string, string>;
}

type Sent = string | Uint8Array | ReadableStream;

const bytesOf = async (value: Sent): Promise<Uint8Array> =>
  new Uint8Array(await new Response(value as BodyInit).arrayBuffer());

/** @param stored the texts of objects @param pageSize keys of one list */
export function memoryBucket(stored: Readonly<Record<string, string>> = {}, pageSize = 1_000) {
  const objects = new Map<string, StoredBytes>(
    Object.entries(stored).map(([key, text]) => [key, { bytes: new TextEncoder().encode(text) }]),
  );
  const calls: string[] = [];
  const turn = async (call: string): Promise<void> => {
    calls.push(call);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const shown = (key: string) => {
    const found = objects.get(key);
    return (
      found && {
        key,
        ...found,
        size: found.bytes.length,
        etag: 'e',
        httpEtag: '"e"',
        uploaded: new Date(1_800_000_000_000),
      }
    );
  };
  const upload = (key: string, options?: R2MultipartOptions) => {
    const parts: Uint8Array[] = [];
    return {
      async uploadPart(number: number, value: Sent) {
        const bytes = await bytesOf(value);
        await turn(`part ${number} of ${bytes.length}`);
        parts[number - 1] = bytes;
        return { partNumber: number, etag: 'e' };
      },
      async complete(sent: readonly R2UploadedPart[]) {
        await turn(`complete ${key} of ${sent.length}`);
        const pieces = sent.map(({ partNumber }) => parts[partNumber - 1] as Uint8Array);
        objects.set(key, { ...options, bytes: new Uint8Array(Buffer.concat(pieces)) });
      },
      abort: () => turn(`abort ${key}`),
    };
  };
  const bucket = {
    async head(key: string) {
      await turn(`head ${key}`);
      return shown(key) ?? null;
    },
    async get(key: string, options: { readonly range?: { readonly offset: number; readonly length: number } } = {}) {
      await turn(`get ${key}`);
      const found = shown(key);
      if (!found) return null;
      const { offset = 0, length = found.size } = options.range ?? {};
      const response = new Response(found.bytes.slice(offset, offset + length) as BodyInit);
      return { ...found, body: response.body, arrayBuffer: () => response.arrayBuffer() };
    },
    async put(key: string, value: Sent, options: R2PutOptions = {}) {
      const bytes = await bytesOf(value);
      await turn(`put ${key}`);
      objects.set(key, { ...(options as object), bytes });
    },
    async delete(keys: string | readonly string[]) {
      await turn(`delete ${[keys].flat().join()}`);
      for (const key of [keys].flat()) objects.delete(key);
    },
    async list({ prefix = '', cursor = '' }: R2ListOptions = {}) {
      await turn(`list ${prefix}${cursor && ` after ${cursor}`}`);
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > cursor).toSorted();
      const page = keys.slice(0, pageSize);
      const truncated = keys.length > pageSize;
      return { objects: page.map((key) => ({ key })), truncated, ...(truncated && { cursor: page.at(-1) }) };
    },
    async createMultipartUpload(key: string, options?: R2MultipartOptions) {
      await turn(`begin ${key}`);
      return upload(key, options);
    },
  };
  const keys = () => [...objects.keys()].toSorted();
  const textOf = (key: string) => Buffer.from(objects.get(key)?.bytes ?? []).toString('latin1');
  return { bucket: bucket as unknown as R2Bucket, objects, calls, keys, textOf };
}
