/**
 * @module What commands say while they work, kept from the terminal: these files need no process of their own.
 */
import { afterAll, beforeAll, beforeEach, type MockInstance, vi } from 'vitest';

/** Collects the texts of `progress` while the tests of the file run. */
export function hearProgress(): string[] {
  const said: string[] = [];
  let spy: MockInstance | undefined;
  beforeAll(() => {
    spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text).replace(/\n$/, ''));
      return true;
    });
  });
  afterAll(() => spy?.mockRestore());
  return said;
}

/** Collects what `streams` print, anew for each test. Of the others nothing is shown, either. */
export function hearPrinted(...streams: readonly NodeJS.WriteStream[]): { text: string } {
  const printed = { text: '' };
  beforeAll(() => {
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        if (streams.includes(stream)) printed.text += String(text);
        return true;
      });
  });
  beforeEach(() => {
    printed.text = '';
  });
  afterAll(() => vi.restoreAllMocks());
  return printed;
}
