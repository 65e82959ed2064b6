/** The languages of the site, as the API names them. The first has no prefix in paths. */
export const LOCALES = ['en', 'fr'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en';

/** Returns the locale of the first part of a path; undefined for what is none, such as `/de/`. */
export function localeOf(part: string | undefined): Locale | undefined {
  if (part === undefined) return DEFAULT_LOCALE;
  return LOCALES.find((locale) => locale === part && locale !== DEFAULT_LOCALE);
}

/** Returns a path of the site in a language: `pathIn('fr', '/search')` is `/fr/search`. */
export const pathIn = (locale: Locale, path = '/'): string =>
  locale === DEFAULT_LOCALE ? path : `/${locale}${path === '/' ? '' : path}`;

/** The page of a list that an address names: `?page=2`. */
export function pageOf({ searchParams }: URL): number {
  const page = Math.trunc(Number(searchParams.get('page')));
  return page >= 1 && page <= 10_000 ? page : 1;
}

/** The words that an address searches for: ten, which is what the API takes. */
export const wordsOf = ({ searchParams }: URL): string =>
  (searchParams.get('q')?.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, 10).join(' ').slice(0, 100);

/** The language of a document, which may stand in for another one. One without languages is in the default one. */
export const languageOf = (document: object): string =>
  'locale' in document && typeof document.locale === 'string' ? document.locale : DEFAULT_LOCALE;

/** Returns the path of a page that has the same one in each language. */
export const everywhere = (path: string): Record<Locale, string> => ({
  en: pathIn('en', path),
  fr: pathIn('fr', path),
});

/** The name of the magazine. */
export const NAME = 'The Slow Quarterly';

const EN = {
  skip: 'Skip to the content',
  sections: 'Sections',
  search: 'Search',
  searchFor: 'Search for',
  found: (count: number, words: string) => `${count === 1 ? '1 article' : `${count} articles`} for “${words}”`,
  issue: (number: number) => `Issue ${number}`,
  latest: 'Latest',
  archive: 'All articles',
  by: 'By',
  minutes: (count: number) => `${count} min read`,
  related: 'Read next',
  about: 'About the author',
  articlesBy: 'Articles',
  nothing: 'There is nothing here yet.',
  newer: 'Newer',
  older: 'Older',
  pages: 'Pages',
  draft: 'This is a draft.',
  leave: 'Leave the preview',
  notFound: 'This page is somewhere else',
  notFoundText: 'Or it never was. The search may know more.',
  broken: 'The presses have stopped',
  brokenText: 'The API does not respond. Try again in a moment.',
  feed: 'Feed',
  home: 'Front page',
  onlyIn: 'This article is not in English.',
  format: { essay: 'Essay', interview: 'Interview', report: 'Report', review: 'Review' },
};

const FR: typeof EN = {
  skip: 'Aller au contenu',
  sections: 'Rubriques',
  search: 'Rechercher',
  searchFor: 'Rechercher',
  found: (count, words) => `${count < 2 ? `${count} article` : `${count} articles`} pour « ${words} »`,
  issue: (number) => `Numéro ${number}`,
  latest: 'À la une',
  archive: 'Tous les articles',
  by: 'Par',
  minutes: (count) => `${count} min de lecture`,
  related: 'À lire ensuite',
  about: 'L’auteur',
  articlesBy: 'Articles',
  nothing: 'Rien ici pour l’instant.',
  newer: 'Plus récents',
  older: 'Plus anciens',
  pages: 'Pages',
  draft: 'Ceci est un brouillon.',
  leave: 'Quitter l’aperçu',
  notFound: 'Cette page est ailleurs',
  notFoundText: 'Ou n’a jamais été. La recherche en sait peut-être plus.',
  broken: 'Les presses sont arrêtées',
  brokenText: 'L’API ne répond pas. Réessayez dans un instant.',
  feed: 'Flux',
  home: 'La une',
  onlyIn: 'Cet article n’existe qu’en anglais.',
  format: { essay: 'Essai', interview: 'Entretien', report: 'Reportage', review: 'Critique' },
};

const TEXTS: Record<Locale, typeof EN> = { en: EN, fr: FR };

/** Returns the texts of the site itself in a language. */
export const textsIn = (locale: Locale): typeof EN => TEXTS[locale];

/** `2026-03-04` → `4 March 2026` */
export const dateIn = (locale: Locale, date: string): string =>
  new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(date),
  );
