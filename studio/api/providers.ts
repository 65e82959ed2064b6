/**
 * @module The providers that the sign-in page shows. `provider-sign-in.ts`, which is loaded for a sign-in, has the way there and
 * back.
 */
import { createStore } from './session.ts';

/** Why the last sign-in by a provider did not succeed. */
export const providerFailure = createStore<string | undefined>(undefined);

/** The providers of the settings, which the build has written into the page. */
export const providers = (): readonly string[] =>
  (document.querySelector<HTMLMetaElement>('meta[name="studio-providers"]')?.content ?? '').split(' ').filter(Boolean);

const TITLES: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' };

/** `google` → `Google` */
export const providerTitle = (name: string): string =>
  TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ');

/** Has a provider led to this page, and is what it brought not taken yet? Another screen may be shown meanwhile. */
export const coming = createStore(/[?&](access_token|error)=/.test(location.search));
