/**
 * @module Pictures on request: made once, stored beside the files, and served from there.
 */
import type { Database } from '../../../content/sql/batch.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { ANIMATION_HEADER, isAnimated } from '../animation.ts';
import { extensionOf } from '../names.ts';
import { type Dimensions, isResizable } from '../pictures.ts';
import { type FileSource, SAME_AS, serveObject } from '../serve.ts';
import { fileByName, type StoredFile } from '../sql/files.ts';
import { claimPicture, deleteClaims } from '../sql/pictures.ts';
import { deleteAll, httpMetadataOf } from '../storage.ts';
import { pictureKey, picturesOf, transformOf, type Variant, withoutEnlarging } from './picture-params.ts';

/** Where the pictures of a file lie, and their claims. */
export interface PictureStore {
  readonly database: Database;
  readonly bucket: R2Bucket;
}

interface PictureCall extends PictureStore, FileSource {
  readonly images: ImagesBinding | undefined;
  readonly request: Request;
  readonly settings: Settings['upload'];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Caches may store another picture than the requested one for ten seconds. */
const brief = ({ cacheControl }: FileSource): string =>
  cacheControl.replace(/(\d+)(, immutable)?/, (_, age) => `${Math.min(10, age)}`);

const serve = (call: PictureCall, key: string) => serveObject(key, call.request, call);

/** Stores that the bytes of a key are those of another one. */
const storeSame = ({ bucket }: PictureCall, key: string, other: string): Promise<unknown> =>
  bucket.put(key, '', { customMetadata: { [SAME_AS]: other } });

/** Reads the file of an object; a replica may lack one that was just uploaded. */
async function readFile({ database }: PictureCall, name: string) {
  const ext = extensionOf(name);
  const { statements, decode } = fileByName({ hash: name.slice(0, name.length - ext.length), ext });
  return decode(await database.read(statements, 'primary'));
}

/** Are pictures made of the type? GIFs may be animated. */
export const isTransformable = (mime: string): boolean => mime !== 'image/gif' && isResizable({ mime, size: 0 });

/** Returns undefined for a file that is served as it is. */
async function dimensionsOf({ bucket }: PictureCall, name: string, { row }: StoredFile) {
  const { width, height } = row;
  const mime = String(row.mime);
  if (!width || !height || !isTransformable(mime) || !isResizable({ mime, size: Number(row.size) * 1000 }))
    return undefined;
  const head = await bucket.get(name, { range: { offset: 0, length: ANIMATION_HEADER } });
  if (!head || isAnimated(await head.arrayBuffer(), mime)) return undefined;
  return { width: Number(width), height: Number(height) };
}

async function transformed(
  { bucket, images }: PictureCall,
  name: string,
  { row }: StoredFile,
  variant: Variant,
  dimensions: Dimensions,
) {
  const object = await bucket.get(name);
  if (!object || !images) throw new Error(`${name} is not there any more`);
  const focalPoint = typeof row.focal_point === 'string' ? JSON.parse(row.focal_point) : null;
  const { format, quality } = variant;
  const handle = images.input(object.body).transform(transformOf(variant, dimensions, focalPoint));
  // JPEGs have no transparency.
  const background = format === 'jpeg' && { background: '#ffffff' };
  const result = await handle.output({ format: `image/${format}`, quality, ...background });
  const bytes = await result.response().arrayBuffer();
  return bytes.byteLength < object.size ? bytes : undefined;
}

const logFailure = (message: string, of: unknown, error: unknown): void =>
  console.error(JSON.stringify({ message, of, cause: (error as Error).message }));

/** Runs a write of a picture. Its file may have changed since, and its pictures be deleted: then this one goes as well. */
async function storing(call: PictureCall, name: string, file: StoredFile, written: Promise<unknown>): Promise<void> {
  await written;
  const current = await readFile(call, name);
  if (current?.updatedAt !== file.updatedAt) await deletePictures(call, [name]);
}

/** Makes a claimed picture. One with more bytes than its original is the original. Logs failures. */
async function make(call: PictureCall, name: string, file: StoredFile, variant: Variant, dimensions: Dimensions) {
  const { bucket, settings } = call;
  const key = pictureKey(name, variant);
  try {
    const bytes = await transformed(call, name, file, variant, dimensions);
    const httpMetadata = httpMetadataOf(`image/${variant.format}`, settings);
    await storing(call, name, file, bytes ? bucket.put(key, bytes, { httpMetadata }) : storeSame(call, key, name));
  } catch (error) {
    logFailure('a picture could not be made', key, error);
  }
}

/** Serves the smallest format that is wide enough and has fewer bytes than the original, or else the original. */
async function serveNearest(call: PictureCall, name: string, { formats, row }: StoredFile, width: number) {
  const wide = Object.values(formats)
    .map((format) => ({ size: 0, ...format, width: Number((format as Partial<Dimensions>).width) }))
    .filter((format) => format.width >= width && format.size < Number(row.size))
    .toSorted((a, b) => a.width - b.width);
  const [first] = wide;
  const response = (first && (await serve(call, `${first.hash}${first.ext}`))) ?? (await serve(call, name));
  if (response?.headers.get('cache-control') !== 'no-store') response?.headers.set('cache-control', brief(call));
  return response;
}

/** @param name of the object of a file */
async function respondUnstored(call: PictureCall, name: string, asked: Variant): Promise<Response | undefined> {
  const file = await readFile(call, name);
  if (!file) return undefined;
  const askedKey = pictureKey(name, asked);
  const dimensions = await dimensionsOf(call, name, file);
  const variant = dimensions && withoutEnlarging(asked, dimensions, call.settings);
  const key = variant ? pictureKey(name, variant) : name;
  if (key !== askedKey) {
    // Nothing is stored under the requested size, which no limit counts.
    const stored = await serve(call, key);
    if (stored || !variant) return stored;
  }
  const { database, settings, now } = call;
  const { statements, decode } = claimPicture({ key, file, limit: settings.transformationsPerMonth, now });
  if (variant && call.images && decode(await database.write(statements))) {
    await make(call, name, file, variant, dimensions);
    const made = await serve(call, key);
    if (made) return made;
  }
  return serveNearest(call, name, file, asked.width);
}

/** Responds with a picture. Returns undefined for an object that is no file's own. @param name of the object */
export const respondPicture = async (
  call: PictureCall,
  name: string,
  variant: Variant,
): Promise<Response | undefined> =>
  (await serve(call, pictureKey(name, variant))) ?? (await respondUnstored(call, name, variant));

/** Deletes the pictures of files, and their claims, so that they can be made again. @throws the error of the bucket */
export async function deletePictures({ bucket, database }: PictureStore, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const prefixes = names.map(picturesOf);
  for (const prefix of prefixes) {
    let cursor: string | undefined;
    do {
      const page = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
      await deleteAll(
        bucket,
        page.objects.map(({ key }) => key),
      );
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
  await database.write([deleteClaims(prefixes)]);
}
