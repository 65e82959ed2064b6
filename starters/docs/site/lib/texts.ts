/**
 * @module The locales of the site, and the texts of its own in each of them. All other texts are content.
 */

const en = {
  language: 'English',
  skip: 'Skip to content',
  menu: 'Menu',
  contents: 'Contents',
  search: 'Search',
  searchFor: 'Search the documentation',
  results: (count: number, words: string) => `${count} ${count === 1 ? 'page' : 'pages'} with “${words}”`,
  noWords: 'Type a word, and press Enter.',
  onThisPage: 'On this page',
  previous: 'Previous',
  next: 'Next',
  updated: 'Last changed on',
  languages: 'Languages',
  links: 'Links',
  neighbours: 'Previous and next page',
  untranslated: 'This page is not translated yet. You are reading it in English.',
  notFound: 'Page not found',
  notFoundHint: 'There is no page at this address. It may have been renamed.',
  home: 'To the first page',
  done: 'Done',
  open: 'Open',
  preview: 'You see a draft.',
  endPreview: 'Leave the preview',
  feed: 'Feed',
};

const fr: typeof en = {
  language: 'Français',
  skip: 'Aller au contenu',
  menu: 'Menu',
  contents: 'Sommaire',
  search: 'Rechercher',
  searchFor: 'Rechercher dans la documentation',
  results: (count, words) => `${count} ${count < 2 ? 'page' : 'pages'} avec « ${words} »`,
  noWords: 'Saisissez un mot, puis appuyez sur Entrée.',
  onThisPage: 'Sur cette page',
  previous: 'Précédent',
  next: 'Suivant',
  updated: 'Dernière modification le',
  languages: 'Langues',
  links: 'Liens',
  neighbours: 'Page précédente et suivante',
  untranslated: 'Cette page n’est pas encore traduite. Vous la lisez en anglais.',
  notFound: 'Page introuvable',
  notFoundHint: 'Il n’y a pas de page à cette adresse. Elle a peut-être été renommée.',
  home: 'Vers la première page',
  done: 'Fait',
  open: 'À faire',
  preview: 'Vous voyez un brouillon.',
  endPreview: 'Quitter l’aperçu',
  feed: 'Flux',
};

export const TEXTS = { en, fr };

export type Locale = keyof typeof TEXTS;

/** The default locale comes first. */
export const LOCALES = Object.keys(TEXTS) as [Locale, ...Locale[]];

export const isLocale = (text: string): text is Locale => Object.hasOwn(TEXTS, text);

/** Returns the locale of an address; the default one for an address that has none, whose page is not found. */
export const localeOf = (text: string): Locale => (isLocale(text) ? text : LOCALES[0]);

/** Chooses a locale for a reader by the header `Accept-Language`. */
export function preferredLocale(header: string): Locale {
  const wanted = header
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.trim().split(/\s*;\s*/);
      return { language: tag.slice(0, 2).toLowerCase(), quality: Number(quality.replace('q=', '')) };
    })
    .sort((a, b) => b.quality - a.quality);
  const found = wanted.map(({ language }) => language).find(isLocale);
  return found ?? LOCALES[0];
}
