/**
 * @module Numbers of things in messages.
 */

/** "1 file", "2,000 files". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

const LIST = new Intl.ListFormat('en-GB');

/** "1 row, 2 links and 3 files". */
export const listed = (parts: readonly string[]): string => LIST.format(parts);

/** "0.8 MB". */
export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
