import { API_URL } from 'astro:env/server';
import { pictureUrl } from 'edgewise-client/images';
import type { UploadFile } from './api';

/** Widths of `upload.widths`, as far as pages use them. */
const WIDTHS = [384, 640, 828, 1280, 1920];

/** The address of a picture in a width. */
export const pictureAt = (file: UploadFile, width: number): string =>
  pictureUrl(file.url, { width, format: 'webp' }, { api: API_URL });

/** What an `img` needs of a file: its addresses in several widths, none wider than the file. */
export function sourcesOf(file: UploadFile) {
  const own = file.width ?? 1280;
  const widths = WIDTHS.filter((width, index) => width <= own || index === 0);
  return {
    src: pictureAt(file, 828),
    srcset: widths.map((width) => `${pictureAt(file, width)} ${width}w`).join(', '),
    width: file.width ?? undefined,
    height: file.height ?? undefined,
  };
}
