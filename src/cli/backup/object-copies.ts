/**
 * @module Objects of a bucket → files of a backup. Bytes under a key do not change as a rule, so they can be copied
 * before the rows that name them are read; what came since is copied afterwards.
 */
import { PART } from '../../upload/storage.ts';
import { type Chunks, joined } from '../core/bytes.ts';
import type { ProgressLine } from '../core/progress-line.ts';
import { chunksOf, type ListedObject, listObjects } from '../core/storage/objects.ts';
import { isTrash } from '../media/trash.ts';
import type { BackupWriter } from './backup-writer.ts';
import type { ObjectNote } from './manifest.ts';

const AHEAD = 6;
/** Names that need no other one in the backup. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,511}$/;

export interface Copies {
  /** Copies what is in the bucket and was not copied yet, the trash left out. */
  copy(line: ProgressLine): Promise<void>;
  notes(): readonly ObjectNote[];
}

/** All objects but those in the trash. */
export const keptObjects = async (bucket: R2Bucket): Promise<readonly ListedObject[]> =>
  (await listObjects(bucket)).filter(({ key }) => !isTrash(key));

const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
  );

interface Fetched {
  readonly object: R2Object;
  readonly bytes: Chunks;
}

/** @param isSmall its bytes are read at once. */
async function fetched(bucket: R2Bucket, key: string, isSmall: boolean): Promise<Fetched | undefined> {
  const object = await bucket.get(key);
  if (!object) return undefined;
  const bytes = chunksOf(object.body);
  return { object, bytes: isSmall ? [await joined(bytes)] : bytes };
}

/** Objects in order, some small ones asked for ahead, since each takes a round trip. One that is gone is passed over. */
async function* fetchedAhead(bucket: R2Bucket, objects: readonly ListedObject[]): AsyncGenerator<Fetched> {
  const queue: (() => Promise<Fetched | undefined>)[] = [];
  const next = async function* (): AsyncGenerator<Fetched> {
    const found = await queue.shift()?.();
    if (found) yield found;
  };
  for (const { key, size } of objects) {
    if (size >= PART) queue.push(() => fetched(bucket, key, false));
    else {
      const started = fetched(bucket, key, true);
      // Told when it is its turn.
      started.catch(() => undefined);
      queue.push(() => started);
    }
    if (queue.length >= AHEAD) yield* next();
  }
  while (queue.length > 0) yield* next();
}

export function objectCopies(bucket: R2Bucket, archive: BackupWriter): Copies {
  const notes = new Map<string, ObjectNote>();
  let others = 0;
  const nameOf = (key: string): string => {
    if (PLAIN.test(key) && !notes.has(key)) return `objects/${key}`;
    others += 1;
    return `objects/other/${others}`;
  };
  const copyOne = async ({ object, bytes }: Fetched, line: ProgressLine): Promise<void> => {
    const { key, size, etag, httpMetadata, customMetadata } = object;
    const file = nameOf(key);
    await archive.stream(file, size, told(bytes, line));
    notes.set(key, {
      ...{ key, file, size, etag },
      ...(httpMetadata && { httpMetadata: textsOf(httpMetadata) }),
      ...(customMetadata && { customMetadata: textsOf(customMetadata) }),
    });
  };
  return {
    async copy(line) {
      const due = (await keptObjects(bucket)).filter(({ key, etag }) => notes.get(key)?.etag !== etag);
      for await (const fetched of fetchedAhead(bucket, due)) await copyOne(fetched, line);
    },
    notes: () => [...notes.values()],
  };
}

async function* told(bytes: Chunks, line: ProgressLine): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    line.advance(chunk.length);
    yield chunk;
  }
}
