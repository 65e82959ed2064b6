/**
 * @module Makes a link to the preview of a document: the URL of a page, and a token with which it reads the document.
 */
import { actionId, requireGrant } from '../../access/grants.ts';
import { forbidden, invalid, notFound } from '../../common/errors.ts';
import { isAccount } from '../../content/credentials/credential.ts';
import { type PreviewMaker, tokenAsMaker, userAsMaker } from '../../content/credentials/sql/preview-makers.ts';
import { mayRead, readRule } from '../../content/operations/grant-check.ts';
import { oneDocument } from '../../content/operations/response.ts';
import { effectiveStatus, writtenLocale } from '../../content/plan/model/versions.ts';
import { planOne } from '../../content/plan/read/plan-read.ts';
import { parseQueryParams, type Status } from '../../content/request/query-params.ts';
import { readerOf } from '../../content/runtime/call.ts';
import { type Caller, withCredential } from '../../content/runtime/caller.ts';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { type Compiled, mapped, together } from '../../content/sql/compiled.ts';
import { defaultLocale, PREVIEW_VALUES, placeholdersIn, previewedType } from '../../schema/settings/derived.ts';
import { makePreview, type PreviewClaims, previewRule } from './preview-token.ts';

/** The version that a page is to show. */
interface Previewed {
  readonly documentId: string;
  /** null if the type has no locales. */
  readonly locale: string | null;
  readonly status: Status;
}

export interface LinkOptions {
  readonly secret: string | undefined;
  /** Returns how long the token is valid, in seconds. @throws ApiError 400 */
  readonly lifetime: () => number;
  /** Code of the project, in place of the URL of the settings. */
  readonly urlOf?: ((uid: string, previewed: Previewed) => unknown) | undefined;
}

export interface PreviewLink {
  readonly url: string;
  readonly token: string;
  /** ISO 8601 */
  readonly expiresAt: string;
}

/** Reads by what a caller is the maker of a preview. */
function makerOf({ credential }: Caller): Compiled<PreviewMaker & Pick<PreviewClaims, 'client'>> {
  if (!isAccount(credential)) throw forbidden();
  if (credential.kind === 'token') return tokenAsMaker(credential.key);
  const { id, client } = credential;
  return mapped(userAsMaker(id), (found) => ({ ...found, client }));
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '');

const fill = (url: string, values: Readonly<Record<string, unknown>>): string =>
  url.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(textOf(values[name])) : placeholder,
  );

/** @throws ApiError 400 for an attribute in the URL that the document does not have: the page would be another one */
function rejectMissing(names: readonly string[], document: Readonly<Record<string, unknown>>, status: Status): void {
  const key = names.find((name) => textOf(document[name]) === '');
  if (key === undefined) return;
  const version = status === 'draft' ? 'draft' : 'published version';
  throw invalid(`The ${version} has no ${key} yet, which the address of its page needs`, { key });
}

const isAttribute = (name: string): boolean => !PREVIEW_VALUES.includes(name);

/** Reads the attributes in the URL, if the caller may see the document and make links to it. */
async function readPreviewed(call: DocumentCall, caller: Caller, url: string | undefined, lifetime: () => number) {
  const { type, settings } = call;
  requireGrant(caller.grants, actionId(type.uid, 'previewLink'));
  const maker = makerOf(caller);
  if (!mayRead(call, caller)) throw forbidden();
  if (url === undefined) throw notFound();
  const sent = parseQueryParams(call.query(), 'write', settings);
  const seconds = lifetime();
  const status = effectiveStatus(type, sent.status ?? 'draft');
  const locale = writtenLocale(type, sent, defaultLocale(settings));
  const names = placeholdersIn(url).filter(isAttribute);
  const rule = previewRule(caller.grants, type.uid, readRule(call, caller), []);
  if (names.some((name) => rule.fields?.has(name) === false)) throw forbidden();
  const { sort, page, namesDraft } = sent;
  const params = { sort, page, namesDraft, fields: { names, everything: false }, status, locale };
  const plan = planOne(params, type, call.document, { ...readerOf(call, caller), rule });
  const [{ body }, made] = await caller.read(together([oneDocument(plan, () => (document) => document), maker]));
  const document = body.data as Readonly<Record<string, unknown>>;
  rejectMissing(names, document, status);
  const previewed = { documentId: String(document.documentId), locale: type.localized ? locale : null, status };
  return { document, previewed, ...made, seconds };
}

/**
 * @throws ApiError 403 without the grant, 404 for a document that the caller may not see or that has no page, 400 for a
 * wrong locale, status or lifetime, and for a document without a value that the URL needs
 */
export async function previewLink(call: DocumentCall, { secret, lifetime, urlOf }: LinkOptions): Promise<PreviewLink> {
  const { type, settings, now } = call;
  const setting = previewedType(settings, type.uid);
  const own = setting && urlOf ? '' : setting?.url;
  const { document, previewed, maker, client, changedAt, seconds } = await withCredential(
    call,
    { source: 'primary' },
    (caller) => readPreviewed(call, caller, own, lifetime),
  );
  const url = urlOf ? await urlOf(type.uid, previewed) : own;
  if (typeof url !== 'string' || url === '') throw notFound();
  const { documentId, locale, status } = previewed;
  const issuedAt = Math.floor(Math.max(now, changedAt) / 1000) * 1000;
  const expiresAt = Math.floor(now / 1000 + seconds) * 1000;
  const drafts = status === 'draft';
  const token = await makePreview(
    { maker, client, uid: type.uid, documentId, locale, drafts, issuedAt, expiresAt },
    secret,
  );
  return {
    url: fill(url, { ...(!urlOf && document), ...previewed, token }),
    token,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
