/**
 * @module `GET /api/i18n/locales`: the locales of the settings.
 */
import { requireGrant } from '../access/grants.ts';
import { withCredential } from '../content/runtime/caller.ts';
import { callOf } from './call.ts';
import type { AppContext } from './context.ts';
import type { Deployment } from './deployment.ts';
import { respond } from './respond.ts';

/** The times of locales without any in the settings. */
const STAMP = new Date(0).toISOString();

const localesOf = ({ settings }: Deployment) =>
  settings.i18n.locales.map(({ code, name, isDefault, fallback: _, ...shown }, index) => ({
    id: index + 1,
    documentId:
      shown.documentId ?? `locale${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`.padEnd(24, '0').slice(0, 24),
    name,
    code,
    createdAt: shown.createdAt ?? STAMP,
    updatedAt: shown.updatedAt ?? STAMP,
    publishedAt: shown.publishedAt ?? STAMP,
    isDefault,
  }));

export function localesRoute(deployment: Deployment) {
  return async function locales(context: AppContext): Promise<Response> {
    const call = await callOf(context, deployment);
    await withCredential(call, {}, async ({ grants }) => requireGrant(grants, 'plugin::i18n.locales.listLocales'));
    return respond(context, localesOf(deployment));
  };
}
