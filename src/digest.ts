/**
 * @module The one hash that stands for a text.
 */
import { hash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits. */
export const sha256 = (text: string): string => hash('sha256', text);
