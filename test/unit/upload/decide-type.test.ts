import { describe, expect, it } from 'vitest';
import { decideType } from '../../../src/features/files/decide-type.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { brands } from '../../support/pictures.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
type Rules = Parameters<typeof decideType>[2];
const ANY: Rules = { allowedTypes: null, deniedTypes: [] };
const { upload: USUAL } = parseSettings({});

const decide = (content: string, name: string, declared = '', rules: Rules = ANY) =>
  decideType({ name, declared }, bytes(content), rules);

const ZIP = 'PK\x03\x04\x14\0\0\0\x08\0';
const CFB = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const MP4 = '\0\0\0\x1cftypisom';
const WEBM = '\x1a\x45\xdf\xa3';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('the type of a file', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'a.png', 'image/png'],
    ['\x89PNG\r\n\x1a\n', 'a.jpg', 'image/png'],
    ['\x89PNG\r\n\x1a\n', 'a', 'image/png'],
    ['\xff\xd8\xff\xe1\0\x10Exif', 'a.txt', 'image/jpeg'],
    ['GIF89a', 'a.gif', 'image/gif'],
    ['%PDF-1.7', 'a.pdf', 'application/pdf'],
    [ZIP, 'a.zip', 'application/zip'],
    [ZIP, 'a.docx', DOCX],
    [ZIP, 'a.png', 'application/zip'],
    [CFB, 'a.doc', 'application/msword'],
    [CFB, 'a.txt', 'application/x-cfb'],
    [MP4, 'a.mp4', 'video/mp4'],
    [MP4, 'a.m4a', 'audio/mp4'],
    [WEBM, 'a.mkv', 'video/x-matroska'],
    [WEBM, 'a', 'video/webm'],
    [WEBM, 'a.weba', 'audio/webm'],
    [WEBM, 'a.txt', 'video/webm'],
    ['\x7fELF', 'a.png', 'application/x-executable'],
    ['\xcf\xfa\xed\xfe', 'a', 'application/x-mach-binary'],
    ['\xce\xfa\xed\xfe', 'a', 'application/x-mach-binary'],
    ['\xfe\xed\xfa\xce', 'a', 'application/x-mach-binary'],
    ['\xfe\xed\xfa\xcf', 'a', 'application/x-mach-binary'],
    ['\xca\xfe\xba\xbe', 'a', 'application/x-mach-binary'],
    ['CWS', 'a.txt', 'application/x-shockwave-flash'],
    ['FWS', 'a.txt', 'application/x-shockwave-flash'],
    ['  <!-- a --><!-- b -->\n<svg width="1">', 'a.txt', 'image/svg+xml'],
    ['<?xml version="1.0"?><svg>', 'a', 'image/svg+xml'],
    ['\ufeff<HTML>'.slice(1), 'a.txt', 'text/html'],
    ['<?xml version="1.0"?><a>', 'a.txt', 'application/xml'],
    ['plain', 'a.txt', 'text/plain'],
    ['a,b', 'a.CSV', 'text/csv'],
    ['plain', 'a.csv', 'text/csv'],
    ['ID3\x03\0', 'a', 'audio/mpeg'],
    ['fLaC\0\0', 'a', 'audio/flac'],
    ['a text ?><html>', 'a.txt', 'text/plain'],
    ['<!-- no end <html>', 'a.txt', 'text/plain'],
  ])('%j called %s is %s', (content, name, type) => {
    expect(decide(content, name, 'text/plain')).toBe(type);
  });

  it.each([
    ['avif', [], 'a.avif', 'image/avif'],
    ['avis', ['msf1'], 'a.avif', 'image/avif'],
    ['mif1', ['avif', 'miaf'], 'a.avif', 'image/avif'],
    ['mif1', ['miaf', 'avio'], 'a', 'image/avif'],
    ['heic', ['mif1'], 'a.heic', 'image/heic'],
    ['heix', ['mif1', 'heix'], 'a.heic', 'image/heic'],
    ['hevc', ['msf1', 'hevc', 'iso8'], 'a.heic', 'image/heic'],
    ['hevx', [], 'a.HEIC', 'image/heic'],
    ['mif1', ['heic'], 'a.heic', 'image/heic'],
    ['msf1', ['hevc'], 'a', 'image/heic'],
    ['mif1', ['heic'], 'a.heif', 'image/heif'],
    ['mif1', [], 'a.heif', 'image/heif'],
    ['mif1', [], 'a.heic', 'image/heic'],
    ['msf1', ['iso8'], 'a', 'image/heif'],
    ['mif1', ['avif'], 'a.mp4', 'image/avif'],
    ['isom', ['iso2', 'avc1', 'mp41'], 'a.mp4', 'video/mp4'],
    ['isom', ['mp41'], 'a.avif', 'video/mp4'],
    ['qt  ', [], 'a.mov', 'video/quicktime'],
  ])('is that of all brands of its container: %s and %j, called %s, is %s', (first, others, name, type) => {
    expect(decideType({ name, declared: '' }, brands(first, ...others), ANY)).toBe(type);
  });

  it('has no brand in its version, behind the list, or in another box', () => {
    const film = (rest: string) => `\0\0\0\x14ftypisom${rest}`;
    expect(decide(film('avifmp41\0\0\0\x0cavif'), 'a.mp4')).toBe('video/mp4');
    expect(decide(`\0\0\0\x08wide${film('\0\0\0\0mif1')}`, 'a.mov')).toBe('video/quicktime');
  });

  it.each([
    [0, 'a.pdf'],
    [3, 'a.pdf'],
    [1_020, 'a.pdf'],
    [1_020, 'a'],
  ])('is PDF with its header after %i bytes, called %s', (before, name) => {
    expect(decide(`${' '.repeat(before)}%PDF-1.4`, name, 'application/pdf')).toBe('application/pdf');
    expect(decide(`${' '.repeat(before)}%PDF-1.4`, name)).toBe('application/pdf');
  });

  it('is not PDF with the header after 1,024 bytes, nor for a text that mentions it', () => {
    expect(() => decide(`${' '.repeat(1_021)}%PDF-1.4`, 'a.pdf')).toThrow('is not of the type');
    expect(decide('A PDF starts with %PDF-1.4', 'a.txt')).toBe('text/plain');
    expect(decide('A PDF starts with %PDF-1.4', 'a', 'text/plain')).toBe('text/plain');
    const rules = { allowedTypes: null, deniedTypes: ['application/pdf'] };
    expect(() => decide(' %PDF-1.4', 'a', '', rules)).toThrow("'application/pdf' is not allowed");
  });

  it('is what the sender says only where neither content nor name tell', () => {
    expect(decide('x', 'a', 'model/stl')).toBe('model/stl');
    expect(decide('x', 'a.txt', 'image/png')).toBe('text/plain');
    for (const declared of ['', 'application/octet-stream'])
      expect(() => decide('x', 'a', declared)).toThrow('Cannot verify file type');
  });

  it.each([
    ['no picture', 'a.png', 'image/png'],
    ['no PDF', 'a', 'application/pdf'],
  ])('is not that of the name or the sender alone: %j called %s and declared as %s', (content, name, type) => {
    expect(() => decide(content, name, type)).toThrow(`The content of '${name}' is not of the type '${type}'`);
  });

  it('does not take long to find out, whatever the content', () => {
    expect(decide('<!--'.repeat(1_000), 'a.txt')).toBe('text/plain');
    expect(decide('<!---->'.repeat(580), 'a.txt')).toBe('text/plain');
    expect(decide(`<?xml ${'<?'.repeat(2_000)}`, 'a.txt')).toBe('application/xml');
  });
});

describe('the rules', () => {
  it('refuse what is denied by content, by name and by word', () => {
    for (const [content, name, declared] of [
      ['<svg/>', 'a.txt', ''],
      ['x', 'a.svg', ''],
      ['x', 'a.txt', 'image/svg+xml'],
    ] as const)
      expect(() => decide(content, name, declared, USUAL)).toThrow("File type 'image/svg+xml' is not allowed");
  });

  it.each([
    ['x', 'a', 'image/jxl'],
    ['x', 'a', 'video/mpeg'],
    ['x', 'a', 'audio/mpeg'],
    ['%PDF-1.7', 'a.pdf', 'application/pdf'],
    [CFB, 'a.doc', 'application/msword'],
    [ZIP, 'a.docx', DOCX],
    ['x', 'a.txt', 'text/plain'],
    ['x', 'a.csv', 'text/csv'],
  ])('let in by default what a fresh Strapi lets in: %j called %s, %s', (content, name, type) => {
    expect(decide(content, name, type, USUAL)).toBe(type);
  });

  it.each([
    'image/svg+xml',
    'application/vnd.microsoft.portable-executable',
    'application/x-msdownload',
    'application/x-msdos-program',
    'application/x-executable',
    'application/x-dosexec',
    'application/x-sh',
    'text/x-shellscript',
    'application/x-mach-binary',
    'application/zip',
    'font/woff2',
  ])('refuse %s by default, and programs also where everything else is allowed', (type) => {
    const rejection = `File type '${type}' is not allowed`;
    expect(() => decide('x', 'a', type, USUAL)).toThrow(rejection);
    const { deniedTypes } = USUAL;
    if (deniedTypes.includes(type))
      expect(() => decide('x', 'a', type, { allowedTypes: null, deniedTypes })).toThrow(rejection);
    expect(deniedTypes.includes(type)).toBe(!['application/zip', 'font/woff2'].includes(type));
  });

  it.each([
    [ZIP, 'a.zip', '', "File type 'application/zip' is not allowed"],
    [ZIP, 'a.zip', 'text/plain', "File type 'application/zip' is not allowed"],
    [ZIP, 'a', 'application/zip', "File type 'application/zip' is not allowed"],
    [ZIP, 'a.txt', 'text/plain', 'MIME type is not allowed'],
    [ZIP, 'a', '', 'MIME type is not allowed'],
    ['\x89PNG\r\n\x1a\n', 'a.woff2', 'image/png', "File type 'font/woff2' is not allowed"],
    ['x', 'a.woff2', '', "File type 'font/woff2' is not allowed"],
  ])('say of %j called %s and declared as "%s": %s', (content, name, declared, message) => {
    expect(() => decide(content, name, declared, USUAL)).toThrow(message);
  });

  it('refuse everything where nothing is allowed', () => {
    expect(() => decide('x', 'a.txt', '', { ...USUAL, allowedTypes: [] })).toThrow("'text/plain' is not allowed");
  });

  it.each([
    ['text/*', true],
    ['*', true],
    ['*/plain', true],
    ['t*t/p*n', true],
    ['TEXT/Plain', true],
    ['text/*plain', true],
    ['text/plain*', true],
    ['*text*', true],
    ['*x*t/*', true],
    ['*x*x*', false],
    ['no/*in', false],
    ['text/*no', false],
    ['text/plain*plain', false],
    ['text', false],
    ['text/plai', false],
    ['text.plain', false],
    ['', false],
  ])('with the pattern %j take a text: %s', (pattern, taken) => {
    const work = () => decide('x', 'a.txt', '', { allowedTypes: [pattern], deniedTypes: [] });
    if (taken) expect(work()).toBe('text/plain');
    else expect(work).toThrow('is not allowed');
  });

  it.each(['image/a,text/html', 'image/a text/html', 'image/ü', 'image/*', 'image/', 'image', 'image/a"'])(
    'take no type that is none: %s',
    (declared) => {
      expect(() => decide('x', 'a', declared, USUAL)).toThrow('is not allowed');
      expect(() => decide('x', 'a', declared)).toThrow('is not allowed');
      expect(decide('x', 'a.txt', declared)).toBe('text/plain');
    },
  );

  it('with many stars take no time', () => {
    const allowedTypes = [`${'*a'.repeat(50)}*b`];
    expect(() => decide('x', 'a', `${'a'.repeat(5_000)}/c`, { allowedTypes, deniedTypes: [] })).toThrow('not allowed');
  });
});
