/**
 * @module The kinds of values that settings have.
 */
import * as z from 'zod/mini';
import { unknownKeys } from './problems.ts';

export const positive = z.int().check(z.gte(1));
export const flag = (value: boolean) => z._default(z.boolean(), value);
export const number = (value: number) => z._default(positive, value);
export const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.prefault(z.strictObject(shape), {} as never);

/** @param expected for the error message */
export const textMatching = (pattern: RegExp, expected: string) => z.string().check(z.regex(pattern, expected));

/** The name of a secret of the Worker. */
export const secretNamed = (example: string) =>
  textMatching(/^[A-Za-z_]\w*$/, `the name of a secret, such as ${example}`);

export const durationText = textMatching(/^[1-9]\d*[smhd]$/, 'a duration like 45s, 15m, 12h or 30d');
export const duration = (value: string) => z._default(durationText, value);

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/;

/** Returns what was expected in place of an origin; undefined for a text that browsers can send as `Origin`. */
function invalidOrigin(text: string): string | undefined {
  if (text.includes('*')) return 'origins one by one; there are no wildcards, as callers may have credentials';
  if (!SCHEME.test(text)) return 'an origin with its scheme, such as https://example.com';
  if (!/^https?:/i.test(text)) return ORIGIN.test(text) ? undefined : 'an origin such as app://localhost';
  const { origin } = URL.canParse(text) ? new URL(text) : { origin: undefined };
  if (origin === undefined) return 'an origin such as https://example.com';
  return origin === text ? undefined : `an origin as browsers send it: ${origin}`;
}

/** A text that is compared with the header `Origin`, character by character. */
export const origin = z.string().check((context) => {
  const message = invalidOrigin(context.value);
  if (message) context.issues.push({ code: 'custom', input: context.value, message });
});

/** An object of options, and beside them a value for each uid. */
export function besideOptions<T extends z.core.$ZodLooseShape, V extends z.core.$ZodType>(shape: T, ofType: V) {
  const isKnown = (key: string): boolean => key.includes('::') || Object.hasOwn(shape, key);
  const types = z.looseRecord(z.templateLiteral([z.string(), '::', z.string()]), ofType);
  return z.intersection(z.strictObject(shape), types).check((context) => {
    const keys = Object.keys(context.value as object).filter((key) => !isKnown(key));
    if (keys.length === 0) return;
    const message = unknownKeys(keys, Object.keys(shape));
    context.issues.push({ code: 'custom', input: context.value, message });
  });
}
