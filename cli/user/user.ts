/**
 * @module What `edgewise user` does: it creates and lists users, sets their passwords, and blocks them. Rows are planned as
 * by the API, so the same rules hold.
 */
import { randomBytes } from 'node:crypto';
import { contentActions, withNamedActions } from '../../src/access/actions.ts';
import { roleGrants } from '../../src/access/grants.ts';
import { isAccountEmail } from '../../src/common/email-address.ts';
import { ApiError, type Issue } from '../../src/common/errors.ts';
import { suggestion } from '../../src/common/near-words.ts';
import { changeTime } from '../../src/content/credentials/jwt.ts';
import { defaultRole, rolesOf } from '../../src/content/credentials/roles.ts';
import { newDocumentId } from '../../src/content/runtime/document-id.ts';
import { writeContextsOf } from '../../src/content/runtime/write-context.ts';
import type { Compiled } from '../../src/content/sql/compiled.ts';
import { rotateStamps } from '../../src/content/sql/stamps.ts';
import { type UserContext, userType } from '../../src/features/users/call.ts';
import { namesOf, planUser, type Save } from '../../src/features/users/save-user.ts';
import { endIdentities } from '../../src/features/users/sql/identities.ts';
import { endGrants } from '../../src/features/users/sql/oauth-grants.ts';
import { endSessions } from '../../src/features/users/sql/sessions.ts';
import { type Account, accountByEmail, takenNames } from '../../src/features/users/sql/users.ts';
import { inlined, isoTime } from '../core/sql/sql-text.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { print, printJson, printRows, progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';
import { CONFIG, loadSettings } from '../project/settings.ts';
import { storedRegistry } from '../project/sources.ts';

interface CreateFlags extends Target {
  readonly email: string;
  readonly role?: string;
  readonly username?: string;
  readonly password?: string;
  readonly json?: true;
}

const contextOf = async (root: string): Promise<UserContext> => ({
  registry: await storedRegistry(root),
  settings: await loadSettings(root),
});

const readAll = async <T>({ statements, decode }: Compiled<T>, target: Target): Promise<T> =>
  decode(await executeSql(statements.map(inlined), target));

/** Names the attribute in messages that do not. */
const lineOf = ({ path, message }: Issue): string =>
  message.startsWith(path.join('.')) ? message : `${path.join('.')}: ${message}`;

/** @throws UserError with every issue of the user */
async function writeUser(save: Save, context: UserContext, target: Target): Promise<void> {
  const writeContext = writeContextsOf({ now: Date.now(), settings: context.settings })();
  try {
    const { statements, stamps } = planUser(context, save, newDocumentId(), writeContext);
    await executeSql([...statements, rotateStamps(stamps)].map(inlined), target);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const issues = (error.problem.details?.errors ?? []) as readonly Issue[];
    throw new UserError(...(issues.length > 0 ? issues.map(lineOf) : [error.message]));
  }
}

/** @throws UserError for a role that the settings do not have */
function roleNamed(name: string | undefined, { settings }: UserContext) {
  if (name === undefined) return defaultRole(settings);
  const roles = rolesOf(settings).filter(({ type }) => type !== 'public');
  const role = roles.find(({ type }) => type === name);
  if (role) return role;
  const types = roles.map(({ type }) => type);
  throw new UserError(
    `--role: the settings have no role "${name}" of signed-in users${suggestion(name, types)}`,
    `roles: ${types.join(', ')}`,
  );
}

function mayFindContent(role: string, { registry, settings }: UserContext): boolean {
  const { allows } = roleGrants(withNamedActions(settings, registry), role);
  const reads = contentActions(registry).filter((id) => /\.find(One)?$/.test(id));
  return reads.length === 0 || reads.some(allows);
}

/** Returns the line about a role without content. It advises rights for a role that no registration gives. */
function seesNothing(role: string, context: UserContext): string {
  const { settings } = context;
  const others = rolesOf(settings).flatMap(({ type }) => (type === 'public' ? [] : type));
  const reader = ['editor', ...others].find((type) => others.includes(type) && mayFindContent(type, context));
  const advice = reader
    ? `--role ${reader} makes a user who may`
    : `a role for editors is a setting: roles: { editor: ['api::*', 'plugin::upload.*'] } in ${CONFIG}, then --role editor`;
  const change =
    settings.studio === false ? '' : '. A manager of users changes the role of this one in Studio, under People';
  return `The role "${role}" may see no content yet; ${advice}${change}.`;
}

/** 120 bits. */
const newPassword = (): string => randomBytes(15).toString('base64url');

/** Prints a password that the user has not chosen. */
function printPassword(password: string, chosen: string | undefined): void {
  if (chosen !== undefined) return;
  progress('password; this is the only time it is shown:');
  print(password);
}

export async function createUser(root: string, flags: CreateFlags): Promise<void> {
  const { email: given, role: roleName, username: named, password: chosen, json, ...target } = flags;
  const email = given.toLowerCase();
  if (!isAccountEmail(email)) throw new UserError(`--email: "${given}" is no e-mail address`);
  const context = await contextOf(root);
  const role = roleNamed(roleName, context);
  const username = named ?? email;
  const taken = await readAll(takenNames(namesOf(context, { email, username })), target);
  if (taken.email)
    throw new UserError(
      `--email: ${email} is taken, or could be confused with a name that is; if its password was never shown, since the command was stopped: npx edgewise user set-password ${email}`,
    );
  if (taken.username) throw new UserError(`--username: ${username} is taken, or could be confused with one that is`);
  const password = chosen ?? newPassword();
  const data = { username, email, password, confirmed: true, provider: 'local', role: role?.documentId };
  await writeUser({ data }, context, target);
  if (json) return printJson({ username, email, role: role?.type, ...(chosen === undefined && { password }) });
  progress(`created ${email} with the role "${role?.type}" in the ${databaseName(target)}`);
  if (role && !mayFindContent(role.type, context)) progress(seesNothing(role.type, context));
  printPassword(password, chosen);
}

const LIST_SQL = `SELECT u."username", u."email", r."type" AS "role", u."confirmed" = 1 AS "confirmed",
  coalesce(u."blocked", 0) AS "blocked", ${isoTime('u."created_at"')} AS "createdAt"
  FROM "up_users" u LEFT JOIN "up_users_role_lnk" l ON l."source_document_id" = u."document_id"
  LEFT JOIN "up_roles" r ON r."document_id" = l."target_document_id" ORDER BY u."email"`;

export async function listUsers({ json, ...target }: Target & { readonly json?: true }): Promise<void> {
  const [rows = []] = await executeSql([LIST_SQL], target);
  const users = rows.map((row) => ({ ...row, confirmed: row.confirmed === 1, blocked: row.blocked === 1 }));
  if (json) return printJson(users);
  if (rows.length === 0) return progress(`no users in the ${databaseName(target)}`);
  const lines = rows.map(({ email, username, role, confirmed, blocked }) => {
    const states = [...(confirmed === 1 ? [] : ['not confirmed']), ...(blocked === 1 ? ['blocked'] : [])];
    return [String(email), String(username), String(role ?? 'no role'), states.join(', ')];
  });
  printRows(lines);
}

/** @throws UserError for an unknown e-mail address */
async function accountOf(email: string, context: UserContext, target: Target): Promise<Account> {
  const account = await readAll(accountByEmail(userType(context), email), target);
  if (account) return account;
  throw new UserError(`there is no user with the e-mail "${email}" in the ${databaseName(target)}`);
}

/** A change of a user that ends sessions and tokens. */
type Changed = (account: Account) => Pick<Save, 'data' | 'also'>;

async function change(root: string, email: string, target: Target, changed: Changed): Promise<void> {
  const context = await contextOf(root);
  const account = await accountOf(email, context, target);
  const { data, also = [] } = changed(account);
  const ended = [...endSessions({ user: account.id }).statements, endGrants(account.id)];
  await writeUser({ account, data, also: [...ended, ...also] }, context, target);
}

type PasswordFlags = Target & { readonly password?: string };

export async function setPassword(root: string, email: string, flags: PasswordFlags): Promise<void> {
  const { password: chosen, ...target } = flags;
  const password = chosen ?? newPassword();
  await change(root, email, target, ({ changedAt, documentId }) => {
    const passwordChangedAt = new Date(changeTime(Date.now(), changedAt)).toISOString();
    // Accounts of a provider have no password to sign in with.
    const data = { provider: 'local', password, passwordChangedAt, resetPasswordToken: null };
    return { data, also: [endIdentities(documentId)] };
  });
  progress(`set the password of ${email}; earlier sign-ins have ended`);
  printPassword(password, chosen);
}

export async function setBlocked(root: string, email: string, blocked: boolean, target: Target): Promise<void> {
  await change(root, email, target, () => ({ data: { blocked } }));
  progress(blocked ? `blocked ${email}; sign-ins have ended` : `${email} may sign in again`);
}
