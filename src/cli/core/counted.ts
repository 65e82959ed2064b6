/**
 * @module Numbers of things in messages.
 */

/** "1 file", "2,000 files". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
