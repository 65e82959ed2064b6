/**
 * @module What commands say while they work, kept from the terminal: these files need no process of their own.
 */
import { afterAll, beforeAll, type MockInstance, vi } from 'vitest';

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
