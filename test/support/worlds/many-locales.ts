/**
 * @module The world of many locales: the content types of `kinds.ts` in more locales than a statement of D1 has parameters.
 */
import { opener } from '../world.ts';
import { kindsRegistry } from './kinds.ts';

const [firsts, seconds] = ['abcdefghij', 'klmopqrstuvw'];

/** 120 codes of locales beside the default one. */
export const OTHERS = [...firsts].flatMap((first) => [...seconds].map((second) => `${first}${second}`));

const ENGLISH = { code: 'en', name: 'English', isDefault: true };

/** Falls back through a locale that documents have, and the default one. */
export const CHAINED = { code: 'zz', name: 'Chained', fallback: [...OTHERS.slice(0, 1), 'en'] };

export const openManyLocales = opener(kindsRegistry, {
  i18n: { locales: [ENGLISH, ...OTHERS.map((code) => ({ code, name: code })), CHAINED] },
});
