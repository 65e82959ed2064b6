/**
 * @module Objects of a bucket → files of a backup. Bytes under a key do not change as a rule, so they can be copied
 * before the rows that name them are read; what came since is copied afterwards.
 */
import type { ProgressLine } from '../import/progress-line.ts';
import { type Listed, listObjects } from '../media/media-check.ts';
import { isTrash } from '../media/trash.ts';
import { chunksOf } from '../platform/objects.ts';
import type { BackupWriter } from './backup-writer.ts';
import type { ObjectNote } from './manifest.ts';

/** Names that need no other one in the backup. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,511}$/;

export interface Copies {
  /** Copies what is in the bucket and was not copied yet, the trash left out. */
  copy(line: ProgressLine): Promise<void>;
  notes(): readonly ObjectNote[];
}

/** All objects but those in the trash. */
export const keptObjects = async (bucket: R2Bucket): Promise<readonly Listed[]> =>
  (await listObjects(bucket, () => undefined)).filter(({ key }) => !isTrash(key));

const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
  );

export function objectCopies(bucket: R2Bucket, archive: BackupWriter): Copies {
  const notes = new Map<string, ObjectNote>();
  let others = 0;
  const nameOf = (key: string): string => {
    if (PLAIN.test(key) && !notes.has(key)) return `objects/${key}`;
    others += 1;
    return `objects/other/${others}`;
  };
  const copyOne = async ({ key }: Listed, line: ProgressLine): Promise<void> => {
    const object = await bucket.get(key);
    if (!object) return;
    const { size, etag, httpMetadata, customMetadata } = object;
    const file = nameOf(key);
    await archive.stream(file, size, told(chunksOf(object.body), line));
    notes.set(key, {
      ...{ key, file, size, etag },
      ...(httpMetadata && { httpMetadata: textsOf(httpMetadata) }),
      ...(customMetadata && { customMetadata: textsOf(customMetadata) }),
    });
  };
  return {
    async copy(line) {
      for (const object of await keptObjects(bucket))
        if (notes.get(object.key)?.etag !== object.etag) await copyOne(object, line);
    },
    notes: () => [...notes.values()],
  };
}

async function* told(bytes: AsyncIterable<Uint8Array>, line: ProgressLine): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    line.advance(chunk.length);
    yield chunk;
  }
}
