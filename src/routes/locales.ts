/**
 * @module `GET /api/i18n/locales`: the locales of the settings, as a bare list.
 */
import { requireGrant } from '../auth/grants.ts';
import { withCredential } from '../execute/caller.ts';
import { callOf } from './call.ts';
import type { AppContext, Deployment } from './context.ts';
import { respond } from './respond.ts';

const ACTION = 'plugin::i18n.locales.listLocales';
/** Locales are configuration and have no time of their own, unless the settings name one. */
const STAMP = new Date(0).toISOString();

const listed = ({ settings }: Deployment) =>
  settings.i18n.locales.map(({ code, name, isDefault, ...known }, index) => ({
    id: index + 1,
    documentId:
      known.documentId ?? `locale${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`.padEnd(24, '0').slice(0, 24),
    name,
    code,
    createdAt: known.createdAt ?? STAMP,
    updatedAt: known.updatedAt ?? STAMP,
    publishedAt: known.publishedAt ?? STAMP,
    isDefault,
  }));

/** Needs the action of the reference; no database row is read but the credential's. */
export function localesRoute(deployment: Deployment) {
  return async function locales(context: AppContext): Promise<Response> {
    const call = await callOf(context, deployment);
    const list = await withCredential(call, {}, async ({ grants }) => {
      requireGrant(grants, ACTION);
      return listed(deployment);
    });
    return respond(context, list);
  };
}
