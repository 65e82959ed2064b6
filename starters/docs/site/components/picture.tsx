/**
 * @module A picture of the API in several sizes, of which the browser takes one.
 */
import { pictureUrl } from 'edgewise-client/images';
import type { UploadFile } from '../../types/content-types';
import { API_URL } from '../lib/addresses';
import { plain, sourceOf } from '../lib/source-maps';

const WIDTHS = [384, 640, 828, 1280, 1600];

/** The column of text is 43 rem wide at most. */
const SIZES = '(max-width: 46rem) calc(100vw - 2.5rem), 43rem';

interface Props {
  readonly file: UploadFile<'draft' | 'published'>;
  /** What the text says of it; by default what the media library says. */
  readonly alt: string;
}

export function Picture({ file, alt }: Props) {
  const at = (width: number) => pictureUrl(file.url, { width }, { api: API_URL });
  const widths = WIDTHS.filter((width) => width < (file.width ?? 0) * 1.3);
  return (
    <img
      src={at(828)}
      srcSet={widths.map((width) => `${at(width)} ${width}w`).join(', ')}
      sizes={SIZES}
      width={file.width ?? undefined}
      height={file.height ?? undefined}
      alt={alt || plain(file.alternativeText ?? '')}
      // A click on the picture of a preview leads to its field.
      data-strapi-source={sourceOf(file.url)}
      loading="lazy"
      decoding="async"
    />
  );
}
