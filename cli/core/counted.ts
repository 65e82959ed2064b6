/**
 * @module Numbers of things in messages.
 */
import { plural } from '../../src/common/plural.ts';

/** "1 file", "2,000 files". */
export const counted = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en')} ${plural(count, one, several)}`;

const LIST = new Intl.ListFormat('en-GB');

/** "1 row, 2 links and 3 files". */
export const listed = (parts: readonly string[]): string => LIST.format(parts);

/** "0.8 MB". */
export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
