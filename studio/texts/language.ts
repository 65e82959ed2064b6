/**
 * @module The language of the reader: what was chosen in this browser, else the first of the browser's that Studio has.
 */
import { LANGUAGES, loadTexts } from './text.ts';

const KEY = 'studio.language';

/** Loads the texts of the language. */
export async function loadLanguage(): Promise<void> {
  const preferred = [localStorage.getItem(KEY) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  const code = preferred.find((each) => Object.hasOwn(LANGUAGES, each)) ?? 'en';
  document.documentElement.lang = code;
  await loadTexts(code);
}

/** Keeps the choice of the reader, and starts Studio again in that language. @param code `en` or `de` */
export function chooseLanguage(code: string): void {
  localStorage.setItem(KEY, code);
  location.reload();
}
