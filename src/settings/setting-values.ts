/**
 * @module The kinds of values that settings have.
 */
import * as z from 'zod/mini';

export const positive = z.int().check(z.gte(1));
export const flag = (value: boolean) => z._default(z.boolean(), value);
export const number = (value: number) => z._default(positive, value);
export const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.prefault(z.strictObject(shape), {} as never);

/** @param expected for the error message */
export const matching = (pattern: RegExp, expected: string) => z.string().check(z.regex(pattern, expected));

export const durationText = matching(/^[1-9]\d*[smhd]$/, 'a duration like 45s, 15m, 12h or 30d');
export const duration = (value: string) => z._default(durationText, value);
