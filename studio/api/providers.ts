/**
 * @module What the sign-in page offers besides a password: the providers of the settings, and Cloudflare Access.
 * `provider-sign-in.ts`, which is loaded for a sign-in, has the way there and back.
 */
import { createStore, hasChangedPerson, session } from './session.ts';

/** Why the last sign-in by a provider did not succeed. */
export const providerFailure = createStore<string | undefined>(undefined);

/** The words that the build has written into the page. */
export const written = (name: string): readonly string[] =>
  (document.querySelector<HTMLMetaElement>(`meta[name="studio-${name}"]`)?.content ?? '').split(' ').filter(Boolean);

/** The providers of the settings. */
export const providers = (): readonly string[] => written('providers');

/** Stands among the providers; none of the settings has its name. */
export const ACCESS = 'access';

export const waysIn = (): readonly string[] => [...providers(), ...written(ACCESS)];

const TITLES: Readonly<Record<string, string>> = {
  access: 'Cloudflare Access',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
};

/** `google` → `Google` */
export const providerTitle = (name: string): string =>
  TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ');

/** In this tab, somebody has been asked to sign in. */
const ASKED = 'studio.asked';

export const noteAsked = (): void => sessionStorage.setItem(ASKED, 'true');

/** Does Access sign in unasked? Once in a tab, and not where somebody was signed in: a sign-out lasts. */
const triesAccess = (): boolean =>
  written(ACCESS).length > 0 && !session() && !hasChangedPerson() && !sessionStorage.getItem(ASKED);

/** Has a provider led to this page, and is what it brought not taken yet? */
const isBack = (): boolean => /[?&](access_token|error)=/.test(location.search);

/** By what somebody comes in without a click. Another screen may be shown meanwhile. */
export const coming = createStore(isBack() ? 'provider' : triesAccess() ? ACCESS : undefined);
