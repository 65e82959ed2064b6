/**
 * @module The texts of Studio in the language of the reader. The key of a text is the English text itself. Numbers and
 * dates follow the browser.
 */
import { createElement, Fragment, type ReactNode } from 'react';
import type { de } from './de.ts';

/** English, with names in braces for values. `one | several` has two forms, of which `{count}` chooses. */
export type Text = keyof typeof de;

const LANGUAGES: Readonly<Record<string, () => Promise<Partial<Record<Text, string>>>>> = {
  en: async () => ({}),
  de: async () => (await import('./de.ts')).de,
};

/** The languages by their codes. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };

const KEY = 'studio.language';

let current = 'en';
let translated: Partial<Record<Text, string>> = {};

/** Returns the code of the loaded language. */
export const language = (): string => current;

/** Returns the code of the language that the reader chose, else the first of the browser's that Studio has. */
function preferredLanguage(): string {
  const preferred = [localStorage.getItem(KEY) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return preferred.find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en';
}

/** Loads the texts. No text is read before: `text` is called by functions, never as a module starts. */
export async function loadLanguage(): Promise<void> {
  current = preferredLanguage();
  document.documentElement.lang = current;
  translated = (await LANGUAGES[current]?.()) ?? {};
}

/** Keeps the choice of the reader, and starts Studio again in that language. @param code `en` or `de` */
export function chooseLanguage(code: string): void {
  localStorage.setItem(KEY, code);
  location.reload();
}

/** Returns a text with its values. `text('{count} file | {count} files', { count: 2 })` gives `2 files`. */
export function text(key: Text, values: Readonly<Record<string, string | number>> = {}): string {
  const forms = (translated[key] ?? key).split(' | ');
  const form = (values.count === 1 ? forms[0] : forms.at(-1)) ?? '';
  return form.replace(/\{(\w+)\}/g, (_, name) => values[name]?.toLocaleString() ?? '');
}

/** Returns a text whose values are elements. */
export const textWith = (key: Text, elements: Readonly<Record<string, ReactNode>>): ReactNode => {
  const parts = (translated[key] ?? key).split(/\{(\w+)\}/);
  return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : elements[part])));
};

/** Returns labels in the language of the reader. */
export const textsOf = (labels: Readonly<Record<string, Text>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, text(label)]));
