/**
 * @module A bucket in memory, for files of a few bytes.
 */

export interface MemoryBucket {
  readonly bucket: R2Bucket;
  clear(): void;
}

const UPLOADED = new Date('2026-01-01T00:00:00.000Z');

export function memoryBucket(): MemoryBucket {
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly httpMetadata?: R2HTTPMetadata }>();
  const objectOf = (key: string) => {
    const object = objects.get(key);
    if (!object) return null;
    const { bytes, httpMetadata } = object;
    return { key, size: bytes.length, httpMetadata, httpEtag: `"${key}"`, etag: key, uploaded: UPLOADED };
  };
  const bucket = {
    head: async (key: string) => objectOf(key),
    get: async (key: string) => {
      const object = objectOf(key);
      return object && { ...object, body: new Blob([objects.get(key)?.bytes as Uint8Array<ArrayBuffer>]).stream() };
    },
    put: async (key: string, bytes: Uint8Array, options?: { httpMetadata?: R2HTTPMetadata }) => {
      objects.set(key, { bytes: Uint8Array.from(bytes), ...options });
      return objectOf(key);
    },
    delete: async (keys: string | readonly string[]) => {
      for (const key of [keys].flat()) objects.delete(key);
    },
  };
  return { bucket: bucket as unknown as R2Bucket, clear: () => objects.clear() };
}
