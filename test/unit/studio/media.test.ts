import { describe, expect, it } from 'vitest';
import {
  acceptOf,
  type FileEntry,
  isPrivate,
  kindFilter,
  kindOf,
  kindsOf,
  lacksText,
  safeUrl,
  thumbnailOf,
} from '../../../studio/model/file-entry.ts';

const file = (changes: Partial<FileEntry>): FileEntry => ({
  id: 1,
  documentId: 'a',
  name: 'a.png',
  mime: 'image/png',
  url: '/uploads/a.png',
  size: 1,
  ...changes,
});

describe('file entries', () => {
  it('have a thumbnail only if browsers show the picture and run nothing in it', () => {
    expect(thumbnailOf(file({ formats: { thumbnail: { url: '/uploads/thumbnail.png' } } }))).toBe(
      '/uploads/thumbnail.png',
    );
    expect(thumbnailOf(file({}))).toBe('/uploads/a.png');
    expect(thumbnailOf(file({ mime: 'image/svg+xml' }))).toBeUndefined();
    expect(thumbnailOf(file({ mime: 'text/html' }))).toBeUndefined();
    expect(thumbnailOf(file({ url: 'javascript:alert(1)' }))).toBeUndefined();
  });

  it('have an address only on the web', () => {
    expect(safeUrl('https://media.example.com/a.png')).toBe('https://media.example.com/a.png');
    for (const url of ['data:text/html,x', 'javascript:alert(1)', '//example.com', 'uploads/a']) {
      expect(safeUrl(url)).toBeUndefined();
    }
  });

  it('are of the kinds of allowedTypes', () => {
    expect(['image/svg+xml', 'video/mp4', 'audio/ogg', 'application/pdf', 'constructor'].map(kindOf)).toEqual([
      'images',
      'videos',
      'audios',
      'files',
      'files',
    ]);
    expect(kindsOf(['videos', 'images'])).toEqual(['images', 'videos']);
    expect(kindsOf([])).toHaveLength(4);
    expect(acceptOf(['images', 'videos'])).toBe('image/*,video/*');
    expect(acceptOf(['images', 'files'])).toBeUndefined();
    expect(kindFilter(['images'])).toEqual({ $or: [{ mime: { $startsWith: 'image/' } }] });
    expect(kindFilter(['files', 'audios'])).toEqual({
      $not: { $or: [{ mime: { $startsWith: 'image/' } }, { mime: { $startsWith: 'video/' } }] },
    });
  });

  it('lack an alternative text only if they are pictures, and are private if their address is signed', () => {
    expect(lacksText(file({}))).toBe(true);
    expect(lacksText(file({ alternativeText: ' ' }))).toBe(true);
    expect(lacksText(file({ alternativeText: 'A clock' }))).toBe(false);
    expect(lacksText(file({ mime: 'application/pdf' }))).toBe(false);
    expect(isPrivate(file({}))).toBe(false);
    expect(isPrivate(file({ url: '/uploads/a-private.png?expires=1&signature=x' }))).toBe(true);
  });
});
