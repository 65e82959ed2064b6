/**
 * @module Tokens of previews: signed claims, and the grants that they give as long as their maker has the right to them.
 */
import { Buffer } from 'node:buffer';
import { actionId, type Grants, readId, roleGrants, ruleOf } from '../../access/grants.ts';
import { traced } from '../../access/permission-trace.ts';
import type { Rule } from '../../access/rule.ts';
import { unauthorized } from '../../common/errors.ts';
import { assumeTokenById, type Token } from '../../content/credentials/api-token.ts';
import { accountConfirmation, type Preview } from '../../content/credentials/credential.ts';
import type { Client } from '../../content/credentials/jwt.ts';
import { seal, unseal } from '../../content/credentials/seal.ts';
import { isSignatureOf, requiredSecret, SIGNATURE_BYTES, signatureOf } from '../../content/credentials/secrets.ts';
import { assumeUser, type User } from '../../content/credentials/user-token.ts';
import { mapped } from '../../content/sql/compiled.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { previewedType } from '../../schema/settings/derived.ts';

const PREFIX = 'preview_';
/** Another form of the claims needs another purpose. */
const PURPOSE = 'edgewise preview token, form 1';

export interface PreviewClaims {
  /** The numeric id of a user, or the documentId of an API token. */
  readonly maker: number | string;
  /** Has made it for a user, whose grant it needs; absent for others. */
  readonly client?: Client | undefined;
  readonly uid: string;
  readonly documentId: string;
  /** null if the type has no locales. */
  readonly locale: string | null;
  /** Does it show drafts? */
  readonly drafts: boolean;
  /** Milliseconds since 1970, of a whole second. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Of tokens with a client, which are sealed: they are seen by others, and versions that know no clients reject them. */
const OF_CLIENT = `${PREFIX}of_client_`;
const USE = 'preview of a client';

/** Returns the token of a preview. @throws ApiError 503 without a JWT_SECRET */
export const makePreview = async (claims: PreviewClaims, secret: string | undefined): Promise<string> =>
  claims.client
    ? OF_CLIENT + (await seal({ ...claims }, USE, requiredSecret(secret), claims.expiresAt))
    : signPreview(claims, secret);

/** @throws ApiError 503 without a JWT_SECRET */
export function signPreview(claims: PreviewClaims, secret: string | undefined): string {
  const bytes = Buffer.from(JSON.stringify(claims));
  const signature = signatureOf(PURPOSE, bytes, secret);
  return PREFIX + Buffer.concat([signature, bytes]).toString('base64url');
}

async function openedClaims(token: string, secret: string, now: number): Promise<PreviewClaims | undefined> {
  return (await unseal(token.slice(OF_CLIENT.length), USE, secret, now)) as PreviewClaims | undefined;
}

/** Returns undefined if it was not signed with this secret, or was changed. */
function signedClaims(token: string, secret: string | undefined): PreviewClaims | undefined {
  const text = token.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64url');
  const claims = bytes.subarray(SIGNATURE_BYTES);
  // The decoder ignores characters that are not in its alphabet, or too many.
  if (!secret || bytes.toString('base64url') !== text) return undefined;
  if (!isSignatureOf(bytes.subarray(0, SIGNATURE_BYTES), PURPOSE, claims, secret)) return undefined;
  return JSON.parse(claims.toString());
}

/** The rights of a maker that a preview passes on. */
interface MakerRights {
  /** Absent if the maker may no longer see or preview the document. */
  readonly rule?: Rule;
  /** `readDrafts` of the types whose drafts it shows in addition to the document. */
  readonly drafts: ReadonlySet<string>;
  readonly maker: Grants;
}

/**
 * Limits the documents to those that a maker sees and may make links to.
 * @param read the rule of the read
 * @param more further filters
 */
export function previewRule(
  grants: Grants,
  uid: string,
  read: Rule | undefined,
  more: NonNullable<Rule['where']>,
): Rule {
  const link = ruleOf(grants, uid, 'previewLink');
  const limits = [read, link].flatMap((rule) => (rule?.where ? [{ $or: rule.where }] : []));
  const filters = [...more, ...limits];
  return {
    key: JSON.stringify([more, read?.key, link?.key]),
    caller: read?.caller ?? link?.caller ?? { user: undefined, now: 0 },
    ...(filters.length > 0 && { where: [{ $and: filters }] }),
    ...(read?.fields && { fields: read.fields }),
  };
}

function documentRule({ uid, documentId, locale, drafts }: PreviewClaims, grants: Grants, read?: Rule): Rule {
  const rule = previewRule(grants, uid, read, [{ documentId }, ...(locale === null ? [] : [{ locale }])]);
  return { ...rule, key: `preview ${drafts} ${rule.key}`, drafts };
}

/** Does a maker read all drafts of a type? A preview could not tell those that conditions hide. */
const readsAllDrafts = (grants: Grants, uid: string): boolean =>
  grants.allows(actionId(uid, 'find')) &&
  grants.allows(actionId(uid, 'readDrafts')) &&
  ruleOf(grants, uid, 'find')?.where === undefined &&
  ruleOf(grants, uid, 'find')?.fields === undefined;

function rightsOf(grants: Grants, claims: PreviewClaims, populate: readonly string[]): MakerRights {
  const { uid, drafts } = claims;
  const read = grants.allows(actionId(uid, 'findOne')) ? 'findOne' : 'find';
  const isGranted =
    grants.allows(actionId(uid, 'previewLink')) &&
    grants.allows(actionId(uid, read)) &&
    (!drafts || grants.allows(actionId(uid, 'readDrafts')));
  const shown = drafts ? populate.filter((target) => readsAllDrafts(grants, target)) : [];
  return {
    ...(isGranted && { rule: documentRule(claims, grants, ruleOf(grants, uid, read)) }),
    drafts: new Set(shown.map((target) => actionId(target, 'readDrafts'))),
    maker: grants,
  };
}

/**
 * Grants one document, and what the public role may find; drafts only of the types that the settings name. The conditions
 * of the public role follow no drafts for that.
 */
function contentGrants({ uid }: PreviewClaims, { rule, drafts, maker }: MakerRights, open: Grants): Grants {
  const id = readId({ previewed: uid }, uid, 'find');
  const allows = (action: string): boolean => {
    if (action === id) return rule !== undefined;
    const [, of, own = ''] = /^(preview|maker) (.*)$/.exec(action) ?? [];
    if (of === 'maker') return maker.allows(own);
    return of === 'preview' ? drafts.has(own) || open.allows(own) : open.allows(action);
  };
  return {
    allows,
    rule: (action) => (action === id ? rule : open.rule?.(action)),
    previewed: uid,
  };
}

/** What stays the same while a maker is assumed, and then confirmed. */
interface Reading {
  readonly claims: PreviewClaims;
  readonly settings: Settings;
  readonly now: number;
  readonly populate: readonly string[];
  /** Of the public role. */
  readonly open: Grants;
}

function previewOf(maker: Token | User, reading: Reading, isContent: boolean): Preview {
  const { claims, settings, now, populate, open } = reading;
  const { grants, trace } = traced(maker.grants);
  const rights = rightsOf(grants, claims, populate);
  return {
    kind: 'preview',
    isCached: maker.isCached,
    grants: isContent ? contentGrants(claims, rights, open) : open,
    forContent: () => previewOf(maker, reading, true),
    confirmation() {
      const { row, ...guards } = accountConfirmation(maker, trace(), settings, now);
      const confirmed = mapped(row, ({ credential, holds }) => {
        if (!rightsOf(credential.grants, claims, populate).rule) throw unauthorized();
        return { credential: previewOf(credential, reading, isContent), holds };
      });
      return { ...guards, row: confirmed };
    },
  };
}

/** Returns undefined for other tokens. @throws ApiError 401 for a forged or expired token, and for a type without previews */
export async function readPreview(
  token: string,
  settings: Settings,
  secret: string | undefined,
  now: number,
): Promise<Preview | undefined> {
  if (!token.startsWith(PREFIX)) return undefined;
  const isOfClient = token.startsWith(OF_CLIENT) && secret;
  const claims = isOfClient ? await openedClaims(token, secret, now) : signedClaims(token, secret);
  const populate = claims && previewedType(settings, claims.uid)?.populate;
  if (!claims || !populate || claims.expiresAt <= now) throw unauthorized();
  const { maker, issuedAt, client } = claims;
  const account =
    typeof maker === 'string'
      ? assumeTokenById(maker, now)
      : assumeUser({ id: maker, issuedAt, session: null, client }, settings, now);
  const open = roleGrants(settings, 'public', { user: undefined, now });
  return previewOf(account, { claims, settings, now, populate, open }, false);
}
