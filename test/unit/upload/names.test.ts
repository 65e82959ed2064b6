import { describe, expect, it } from 'vitest';
import { cacheControlOf, cacheControlOfSigned } from '../../../src/features/files/caching.ts';
import { extensionOfType, presentationOf, typeOfExtension } from '../../../src/features/files/media-types.ts';
import { checkName, extensionOf, kilobytes, newHash, readable } from '../../../src/features/files/names.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

describe('a file name', () => {
  it.each(['a/b', 'a\\b', '..\\x', 'a\0', 'a\u007f', 'a\n', '\u202ex', '\u2066x', '\u061cx', 'x'.repeat(256)])(
    'like %j is not taken',
    (name) => {
      expect(() => checkName(name)).toThrow('Names have');
    },
  );

  it.each(['a', '..', '.htaccess', 'Ünï cödé (1).png', '中文.png', '👩‍👩‍👧.png', 'x'.repeat(255)])(
    'like %j is taken',
    (name) => {
      expect(checkName(name)).toBe(name.normalize());
    },
  );

  it('is stored in its composed form', () => {
    expect(checkName('u\u0308.png')).toBe('ü.png');
  });
});

describe('an extension', () => {
  it.each([
    ['photo.PNG', '.PNG'],
    ['a.tar.gz', '.gz'],
    ['.htaccess', ''],
    ['a', ''],
    ['a.', ''],
    ['a.p?g', ''],
    ['a.ü', ''],
    ['a. png', ''],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });

  it('and its type name each other', () => {
    expect(typeOfExtension('.JPG')).toBe('image/jpeg');
    expect(extensionOfType('image/jpeg')).toBe('.jpeg');
    expect(typeOfExtension('.constructor')).toBeUndefined();
    expect(extensionOfType('constructor')).toBe('');
  });
});

describe('a hash', () => {
  it.each([
    ['photo.png', 'photo'],
    ['File%&Näme<>:"|?*.png', 'File_and_Naeme'],
    ['Crème brûlée.png', 'Creme_brulee'],
    ['Straße Ærø.png', 'Strasse_A_Ero'],
    ['IMG1234.png', 'IMG_1234'],
    ['fooBar.png', 'foo_Bar'],
    ['中文.png', ''],
    ['__a--b__.png', 'a_b'],
  ])('of %j begins with %j', (name, start) => {
    expect(newHash(name, '.png')).toMatch(new RegExp(`^${start}_[0-9a-f]{10}$`));
  });

  it.each(['n'.repeat(255), '&'.repeat(255), '\ufdfa'.repeat(255), 'ß'.repeat(255)])(
    'of %j fits its column',
    (name) => {
      expect(newHash(name, '').length).toBeLessThan(256);
    },
  );

  it('has the extension only if that is another one than the file has', () => {
    expect(newHash('photo.jpeg', '.png')).toMatch(/^photo_jpeg_/);
    expect(newHash('photo', '')).toMatch(/^photo_[0-9a-f]{10}$/);
  });

  it('is another one each time', () => {
    expect(newHash('a.png', '.png')).not.toBe(newHash('a.png', '.png'));
  });
});

describe('sizes', () => {
  it('are thousands of bytes, to two digits', () => {
    expect([51, 86, 9506, 1_270_102].map(kilobytes)).toEqual([0.05, 0.09, 9.51, 1270.1]);
  });

  it('are readable', () => {
    expect([0, 999, 1_000, 1_000_000, 200_000_000, 1_000_000_000, 10 ** 12, 10 ** 15].map(readable)).toEqual([
      '0 Bytes',
      '999 Bytes',
      '1 KB',
      '1 MB',
      '200 MB',
      '1 GB',
      '1 TB',
      '1000 TB',
    ]);
  });
});

describe('a type', () => {
  it.each([
    ['image/png', 'image/png', true],
    ['audio/mpeg', 'audio/mpeg', true],
    ['video/mp4', 'video/mp4', true],
    ['text/csv', 'text/csv', true],
    [' Application/PDF ; x=y', 'application/pdf', true],
    ['image/svg+xml', 'image/svg+xml', false],
    ['text/html', 'text/html', false],
    ['message/rfc822', 'application/octet-stream', false],
    ['multipart/mixed', 'application/octet-stream', false],
    ['image/png,text/html', 'application/octet-stream', false],
    ['', 'application/octet-stream', false],
    [undefined, 'application/octet-stream', false],
  ])('%j is served as %s, displayed by browsers: %s', (mime, contentType, inline) => {
    expect(presentationOf(mime)).toEqual({ contentType, inline });
  });
});

describe('the bytes of a file', () => {
  const YEAR = 31_536_000;
  it.each([
    ['new-url', 60, 'public, max-age=60'],
    ['new-url', YEAR - 1, 'public, max-age=31535999'],
    ['new-url', YEAR, 'public, max-age=31536000, immutable'],
    ['same-url', 60, 'public, max-age=60, must-revalidate'],
    ['same-url', 59, 'public, max-age=59, must-revalidate'],
    ['same-url', YEAR, 'public, max-age=60, must-revalidate'],
  ] as const)('with %s and %i seconds are cached: %s', (replace, cacheSeconds, expected) => {
    expect(cacheControlOf(parseSettings({ upload: { replace, cacheSeconds } }).upload)).toBe(expected);
  });

  it.each([
    ['new-url', 90, 90, 'private, max-age=90'],
    ['new-url', 90, 80, 'private, max-age=80'],
    ['new-url', 80, 90, 'private, max-age=80'],
    ['same-url', 90, 90, 'private, max-age=60, must-revalidate'],
    ['same-url', 50, 90, 'private, max-age=50, must-revalidate'],
  ] as const)(
    'with %s, %i seconds of a signature and %i seconds are cached: %s',
    (replace, seconds, cacheSeconds, expected) => {
      expect(cacheControlOfSigned(seconds, parseSettings({ upload: { replace, cacheSeconds } }).upload)).toBe(expected);
    },
  );
});
