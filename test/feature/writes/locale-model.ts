/**
 * @module What locales and statuses do to a document, told without a database: the oracle of the property test.
 */

export type Status = 'draft' | 'published';
export type Locale = 'en' | 'fr' | 'de';
export const LOCALES = ['en', 'fr', 'de'] as const satisfies readonly Locale[];
export const STATUSES = ['draft', 'published'] as const satisfies readonly Status[];

/** One version: a text of its own, and what all locales share. */
export interface Version {
  readonly title: string;
  readonly price: number | null;
  /** documentId of a file. */
  readonly attachment: string | null;
  /** Labels of a repeatable component. */
  readonly links: readonly string[];
}

/** Attributes that a body may leave out. */
export type Change = { readonly title: string } & Partial<Omit<Version, 'title'>>;

type Key = `${Locale}/${Status}`;
export type Versions = ReadonlyMap<Key, Version>;

const NEW: Omit<Version, 'title'> = { price: null, attachment: null, links: [] };

const publishedFirst = (versions: Versions): Version | undefined => {
  const keys = [...versions.keys()];
  const key = keys.findLast((name) => name.endsWith('/published')) ?? keys[0];
  return key && versions.get(key);
};

/** `null` clears a price, except in a locale that is new: that takes it from the others, as in the reference. */
function started(source: Version | undefined, change: Change): Version {
  const shared = source ?? NEW;
  const { title, attachment = shared.attachment, links = shared.links } = change;
  return { title, attachment, links, price: change.price ?? shared.price };
}

const isShared = (a: Version, b: Version | undefined): boolean =>
  a.price === b?.price && a.attachment === b.attachment && a.links.join() === b.links.join();

/** The other locales of the same status, and of no other, follow in what they share. */
function spread(versions: Versions, locale: Locale, status: Status): Versions {
  const { price = null, attachment = null, links = [] } = versions.get(`${locale}/${status}`) ?? {};
  const followed = [...versions].map(([key, version]) => {
    const follows = key.endsWith(`/${status}`);
    return [key, follows ? { ...version, price, attachment, links } : version] as const;
  });
  return new Map(followed);
}

/**
 * POST and PUT: the draft is written, and with `published` the published version becomes a copy of it. The others follow
 * when it differs from what the draft of the first locale by code point had.
 */
export function written(versions: Versions, locale: Locale, status: Status, change: Change): Versions {
  const present = versions.get(`${locale}/draft`);
  const draft = present ? { ...present, ...change } : started(publishedFirst(versions), change);
  const next = new Map(versions).set(`${locale}/draft`, draft);
  if (status === 'published') {
    next.delete(`${locale}/published`);
    next.set(`${locale}/published`, draft);
  }
  const [first] = [...versions.keys()].filter((key) => key.endsWith('/draft')).sort();
  return first && isShared(draft, versions.get(first)) ? next : spread(next, locale, status);
}

/** DELETE of these locales, or of all. */
export const removed = (versions: Versions, locales: readonly Locale[] | '*'): Versions =>
  new Map([...versions].filter(([key]) => locales !== '*' && !locales.some((locale) => key.startsWith(`${locale}/`))));
