import { describe, expect, it } from 'vitest';
import { dateIn, localeOf, pageOf, pathIn, textsIn, wordsOf } from '../src/lib/locales';
import { htmlOf, plain } from '../src/lib/markdown';

describe('a rich text', () => {
  it('is HTML whose headings are below the title of the page', () => {
    expect(htmlOf('# Cabin *class*')).toBe('<h2>Cabin <em>class</em></h2>\n');
  });

  it('has no HTML and no script of its own', () => {
    expect(htmlOf('a <script>alert(1)</script> b')).toBe('<p>a &lt;script>alert(1)&lt;/script> b</p>\n');
    expect(htmlOf('[a](javascript:alert(1))')).toBe('<p><a href="#">a</a></p>\n');
    expect(plain('#2f6f73\u200b\u200c\u200d\ufeff')).toBe('#2f6f73');
    expect(htmlOf('[a](/articles/a)')).toBe('<p><a href="/articles/a">a</a></p>\n');
  });
});

describe('an address', () => {
  const at = (query: string) => new URL(`https://site.example/search?${query}`);

  it('has at most ten words, as the API counts them', () => {
    expect(wordsOf(at('q=l%E2%80%99%C3%A9t%C3%A9+%28sea%29'))).toBe('l été sea');
    expect(wordsOf(at('q=a-b-c-d-e-f-g-h-i-j-k'))).toBe('a b c d e f g h i j');
    expect([wordsOf(at('')), wordsOf(at('q=%21%21'))]).toEqual(['', '']);
  });

  it('has a page that the API takes', () => {
    expect(['2', '0', '-1', 'x', 'Infinity', '1e99', '2.5'].map((page) => pageOf(at(`page=${page}`)))).toEqual([
      2, 1, 1, 1, 1, 1, 2,
    ]);
  });
});

describe('a language', () => {
  it('is the first part of a path, and that of the default has none', () => {
    expect([localeOf(undefined), localeOf('fr'), localeOf('en'), localeOf('de')]).toEqual([
      'en',
      'fr',
      undefined,
      undefined,
    ]);
    expect([pathIn('en'), pathIn('fr'), pathIn('en', '/search'), pathIn('fr', '/search')]).toEqual([
      '/',
      '/fr',
      '/search',
      '/fr/search',
    ]);
  });

  it('has its own dates and texts', () => {
    expect([dateIn('en', '2026-03-04'), dateIn('fr', '2026-03-04')]).toEqual(['4 March 2026', '4 mars 2026']);
    expect([textsIn('en').found(1, 'sea'), textsIn('fr').found(0, 'mer')]).toEqual([
      '1 article for “sea”',
      '0 article pour « mer »',
    ]);
  });
});
