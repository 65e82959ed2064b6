import { describe, expect, it } from 'vitest';
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
