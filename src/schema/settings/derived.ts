/**
 * @module What follows from the settings. A Worker gets them validated, so it does without the schemas of config.ts.
 */

/** Names of all roles: the built-in ones, then those of the settings. */
export const roleNames = ({ roles }: { readonly roles: object }): readonly string[] => [
  ...new Set(['authenticated', 'public', ...Object.keys(roles)]),
];

interface Locales {
  readonly i18n: {
    readonly locales: readonly {
      readonly code: string;
      readonly isDefault?: boolean | undefined;
      readonly fallback?: readonly string[] | undefined;
    }[];
  };
}

/** The locale of requests that name none. */
export const defaultLocale = ({ i18n: { locales } }: Locales): string =>
  (locales.find(({ isDefault }) => isDefault) ?? locales[0])?.code ?? 'en';

/** Returns the locales that a read with `fallback=true` tries, in their order. */
export const localeChain = ({ i18n: { locales } }: Locales, code: string): readonly string[] => [
  code,
  ...(locales.find((each) => each.code === code)?.fallback ?? []),
];

export const hasFallbacks = ({ i18n: { locales } }: Locales): boolean =>
  locales.some(({ fallback = [] }) => fallback.length > 0);

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `30d` → seconds */
export const secondsOf = (text: string): number =>
  Number(text.slice(0, -1)) * SECONDS[text.slice(-1) as keyof typeof SECONDS];

/** `/{slug}?t={token}` → `slug`, `token` */
export const placeholdersIn = (url: string): readonly string[] =>
  [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Placeholders of the URL of a preview that are no attributes. */
export const PREVIEW_VALUES: readonly string[] = ['documentId', 'locale', 'status', 'token'];

type Uid = `${string}::${string}`;

interface Previews<T> {
  /** The types stand beside the options. */
  readonly preview: Readonly<Record<Uid, T>> | null;
}

/** Returns the setting of the previews of a type. */
export const previewedType = <T>({ preview }: Previews<T>, uid: string): T | undefined => preview?.[uid as Uid];

/** Returns uids with the setting of their previews. */
export const previewedTypes = <T>({ preview }: Previews<T>): readonly (readonly [uid: string, T])[] =>
  Object.entries(preview ?? {}).filter(([key]) => key.includes('::'));

/** Returns the name of the secret that is the value of a header; undefined for a value of its own. */
export const secretIn = (value: string): string | undefined => /^\$([A-Za-z_]\w*)$/.exec(value)?.[1];

type Status = 'published' | 'draft';

interface Statuses {
  readonly api: { readonly rest: { readonly defaultStatus: Status | Readonly<Record<string, Status>> } };
}

/** Returns the status of a create or update that names none. */
export function defaultStatus({ api }: Statuses, uid: string): Status {
  const setting = api.rest.defaultStatus;
  return typeof setting === 'string' ? setting : (setting[uid] ?? 'published');
}

interface Kept {
  /** Of each locale, draft and published apart. */
  readonly versions: number;
  readonly days: number;
}

const KEPT: Kept = { versions: 20, days: 90 };
const HISTORY_BYTES = 1_000_000_000;

type OfType = true | { readonly versions?: number | undefined; readonly days?: number | undefined };
/** The types stand beside `bytes`. */
type History = true | null | ({ readonly bytes?: number | undefined } & Readonly<Record<Uid, OfType>>);

/** Returns which former versions of the documents of a type are kept; undefined for none. */
export function keptVersions({ history }: { readonly history: History }, uid: string): Kept | undefined {
  const kept = history === true ? uid.startsWith('api::') : history?.[uid as Uid];
  if (!kept) return undefined;
  return kept === true ? KEPT : { versions: kept.versions ?? KEPT.versions, days: kept.days ?? KEPT.days };
}

/** Bytes of all former versions. */
export const historyBytes = ({ history }: { readonly history: History }): number =>
  history === true ? HISTORY_BYTES : (history?.bytes ?? HISTORY_BYTES);

/** Below it, each tenant of Microsoft has an issuer. */
export const MICROSOFT = 'https://login.microsoftonline.com/';
export const TENANT: RegExp = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
