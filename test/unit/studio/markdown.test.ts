import { describe, expect, it } from 'vitest';
import { safeAddress } from '../../../studio/api/query-string.ts';

describe('an address in content', () => {
  it('leads to the web, a mailbox, a telephone or within the site, and runs nothing', () => {
    const good = ['https://a.b', 'mailto:a@b.c', 'tel:1', '/path?x=y:z', '#part', 'page'];
    expect(good.map(safeAddress)).toEqual(good);
    const bad = ['javascript:x', ' JaVaScript:x', 'data:text/html,x', 'vbscript:x', 'java\nscript:x', 'blob:x'];
    expect(bad.map(safeAddress)).toEqual(bad.map(() => undefined));
  });
});
