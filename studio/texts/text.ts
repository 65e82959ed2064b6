/**
 * @module The texts of Studio in the language of the reader. The key of a text is the English text itself. Numbers and
 * dates have the form of the browser's first language, whichever is chosen for the texts.
 */
import { createElement, Fragment, type ReactNode } from 'react';
import type { de } from './de.ts';

/** English, with names in braces for values. `one | several` has a form for each category of plurals that the
 * language has, in the order of CLDR; `{count}` chooses. */
export type Text = keyof typeof de;

type Texts = Partial<Record<Text, string>>;

/** By code: the name of a language in itself, and its texts. */
export const LANGUAGES: Readonly<Record<string, readonly [name: string, load: () => Promise<Texts>]>> = {
  en: ['English', async () => ({})],
  de: ['Deutsch', async () => (await import('./de.ts')).de],
};

/** The order of CLDR, which is the same in each browser. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

let current = 'en';
let translated: Texts = {};
let plurals = new Intl.PluralRules(current);

/** Returns the code of the loaded language. */
export const language = (): string => current;

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).baseName !== '';
  } catch {
    return false;
  }
}

/**
 * Returns the locale of numbers and dates. The default of `Intl` is the language of the browser's own menus. Some
 * browsers have a language that `Intl` rejects, such as `en-US@posix`.
 */
export const formatLocale = (): string => [navigator.language, ...navigator.languages].find(isLocale) ?? language();

export const numberText = (number: number): string => number.toLocaleString(formatLocale());

/** Loads the texts. No text is read before: `text` is called by functions, never as a module starts. */
export async function loadTexts(code: string): Promise<void> {
  translated = (await LANGUAGES[code]?.[1]()) ?? {};
  current = code;
  plurals = new Intl.PluralRules(code);
}

/** Returns a text with its values. `text('{count} file | {count} files', { count: 2 })` gives `2 files`. */
export function text(key: Text, values: Readonly<Record<string, string | number>> = {}): string {
  const forms = (translated[key] ?? key).split(' | ');
  const { pluralCategories } = plurals.resolvedOptions();
  const categories = CATEGORIES.filter((category) => pluralCategories.includes(category));
  const form = forms[categories.indexOf(plurals.select(Number(values.count)))] ?? forms.at(-1) ?? '';
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numberText(value) : value;
  });
}

/** Returns a text whose values are elements. */
export function textWith(key: Text, elements: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = (translated[key] ?? key).split(/\{(\w+)\}/);
  return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : elements[part])));
}

/** Returns labels in the language of the reader. */
export const textsOf = (labels: Readonly<Record<string, Text>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, text(label)]));
