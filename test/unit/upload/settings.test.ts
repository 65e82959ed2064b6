import { describe, expect, it } from 'vitest';
import { files } from '../../../src/features/files/feature.ts';
import { pictures } from '../../../src/features/files/pictures/feature.ts';
import { privacy } from '../../../src/features/files/private/feature.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

describe('the settings of uploads', () => {
  it.each([
    [{ sizeLimit: 0 }, 'upload.sizeLimit'],
    [{ maxParts: 1.5 }, 'upload.maxParts'],
    [{ allowedTypes: 'image/*' }, 'upload.allowedTypes'],
    [{ deniedTypes: null }, 'upload.deniedTypes'],
    [{ breakpoints: { large: '1000' } }, 'upload.breakpoints.large'],
    [{ breakpoints: { thumbnail: 100 } }, 'upload.breakpoints.thumbnail'],
    [{ breakpoints: { '../x': 100 } }, 'upload.breakpoints.../x'],
    [{ publicUrl: 'media.example.com' }, 'upload.publicUrl'],
    [{ publicUrl: 'https://media.example.com/' }, 'upload.publicUrl'],
    [{ sizelimit: 1 }, 'upload'],
  ])('%j are refused by name', (upload, key) => {
    expect(() => parseSettings({ upload })).toThrow(`  ${key}: `);
  });

  it.each([
    { allowedTypes: null },
    { allowedTypes: [] },
    { breakpoints: {} },
    { breakpoints: { xlarge: 1920 } },
    { publicUrl: 'https://media.example.com/files' },
  ])('%j are taken', (upload) => {
    expect(parseSettings({ upload }).upload).toMatchObject(upload);
  });
});

describe('a part of the media library', () => {
  const server = { url: 'https://api.example.com' };
  it.each([
    [{}, false, false],
    [{ widths: [64] }, true, false],
    [{ private: true }, false, true],
    [{ private: 'all' }, false, true],
  ] as const)('is on with %j: pictures %s, privacy %s', (upload, hasPictures, isPrivate) => {
    const settings = parseSettings({ server, upload: upload as object });
    expect([files, pictures, privacy].map(({ isOn }) => isOn(settings))).toEqual([true, hasPictures, isPrivate]);
  });

  it.each([
    ['/api/upload', true],
    ['/mcp/uploads/x', true],
    ['/mcp/uploads', false],
    ['/api/upload/files', false],
  ])('reads bodies as they come: %s %s', (path, streams) => {
    expect(files.streams?.(path)).toBe(streams);
  });
});
