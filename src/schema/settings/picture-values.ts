/**
 * @module What the parameters of pictures on request may be.
 */

export const PICTURE_FORMATS = ['webp', 'avif', 'jpeg'] as const;
export const PICTURE_FITS = ['cover', 'contain'] as const;

/** `upload.widths: true` */
export const PICTURE_WIDTHS: readonly number[] = [64, 128, 256, 384, 640, 828, 1080, 1280, 1600, 1920, 2560, 3840];
