/**
 * @module Users as a model keeps them, and bodies by chance, each with what it changes: written from docs/users.md and
 * docs/security.md, without the code that plans writes. A change that is undefined has to be refused.
 */
import type { Dice } from '../support/dice.ts';
import { contentType, registryOf, userFile } from '../support/schema-files.ts';

export const ROLES = ['authenticated', 'public', 'reds', 'blues'] as const;
export type RoleName = (typeof ROLES)[number];

export interface RoleKeys {
  readonly id: number;
  readonly documentId: string;
}

/** A user as readers see them, and what only the model knows. */
export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly role: RoleName;
  readonly nickname: string | null;
  readonly age: number | null;
  /** documentIds */
  readonly likes: readonly string[];
  readonly home: string | null;
  readonly password: string | null;
}

export type Change = Partial<Omit<Account, 'id' | 'documentId'>>;
export interface Body {
  readonly data: Readonly<Record<string, unknown>>;
  /** Undefined: the body is to be refused. */
  readonly change: Change | undefined;
}

const USER = 'plugin::users-permissions.user';
export const usersRegistry = registryOf(
  [
    contentType('red', {
      name: { type: 'string' },
      fans: { type: 'relation', relation: 'manyToMany', target: USER, mappedBy: 'likes' },
    }),
    contentType('blue', { name: { type: 'string' } }),
  ],
  [],
  {},
  {
    user: userFile({
      nickname: { type: 'string', unique: true, minLength: 2 },
      age: { type: 'integer', min: 0, default: 18 },
      likes: { type: 'relation', relation: 'manyToMany', target: 'api::red.red', inversedBy: 'fans' },
      home: { type: 'relation', relation: 'manyToOne', target: 'api::blue.blue' },
    }),
  },
);

/** Names with their keys: those with one key are one name to their readers. */
const USERNAMES: Readonly<Record<string, string>> = {
  Anna: 'anna',
  anna: 'anna',
  ＡＮＮＡ: 'anna',
  'Ben Ray': 'ben ray',
  'ben  ray': 'ben ray',
  Zoë: 'zoë',
  'zoe\u0308': 'zoë',
  'carl@example.com': 'carl@example.com',
  'it\'s "D" %_': 'it\'s "d" %_',
  '12345': '12345',
  finn: 'finn',
  Gus_1: 'gus_1',
  Ида: 'ида',
  Hugo: 'hugo',
  'Eve 😀': 'eve 😀',
};
const EMAILS = [
  'Anna@Example.com',
  'CARL@example.com',
  'ben@example.com',
  'd.ora+x@sub.example.org',
  'eve@example.com',
];
const MORE_EMAILS = ['finn@example.com', 'gus@example.com', 'BEN@example.com'];
const PASSWORDS = ['Passw0rd', ' a long secret ', 'pässwörd ☃ 😀', '$2a$04$looks.like.a.hash', 'null12', '"quoted"\\'];

const keyOf = (name: string): string => USERNAMES[name] ?? name.toLowerCase();

/** Is a name the name or the address of another user? */
function isTaken(name: string, others: readonly Account[]): boolean {
  return others.some(({ username, email }) => [username, email].some((other) => keyOf(other) === keyOf(name)));
}

export const passwordFrom = (dice: Dice): string => dice.pick(PASSWORDS as [string, ...string[]]);

export interface Making {
  readonly dice: Dice;
  readonly accounts: readonly Account[];
  readonly roles: Readonly<Record<RoleName, RoleKeys>>;
  readonly reds: readonly string[];
  readonly blues: readonly string[];
}

const NONE = 99_999;

function newRole({ dice, roles }: Making): readonly [unknown, RoleName | undefined] {
  const name = dice.pick(ROLES);
  const { id, documentId } = roles[name];
  if (dice.once(8))
    return [dice.pick<unknown>([NONE, null, {}, 'nobody', { set: [{ id }] }, { connect: [] }]), undefined];
  if (dice.once(8)) return [dice.pick<unknown>(['', 0]), 'authenticated'];
  const names = [id, String(id), documentId, { connect: [{ id }] }, { connect: [{ documentId }] }] as const;
  return [dice.pick<unknown>([...names, { connect: [{ id: String(id), position: { end: true } }] }]), name];
}

function changedRole(account: Account, { dice, roles }: Making): readonly [unknown, RoleName | undefined] {
  const name = dice.pick(ROLES);
  const [{ id, documentId }, old] = [roles[name], roles[account.role]];
  const kept = [{}, { connect: [] }, { disconnect: [] }, { connect: [{ id: old.id }] }] as const;
  const wrong = [NONE, null, -1, 'nobody', { set: [] }, { set: null }, { disconnect: [{ id: old.id }] }] as const;
  if (dice.once(6)) return [dice.pick<unknown>(kept), account.role];
  if (dice.once(10)) return [dice.pick<unknown>([...wrong, { connect: [{ id: NONE }] }, { connect: [{}] }]), undefined];
  const forms = [
    ...[id, String(id), documentId, { id }, { documentId }, { set: [id] }, { set: [{ documentId }] }],
    ...[{ connect: [{ id }] }, { connect: [{ documentId }] }, { connect: [{ id: String(id) }], disconnect: [] }],
    ...[{ disconnect: [{ id: old.id }], connect: [{ id }] }],
    ...[{ connect: [{ documentId }], disconnect: [{ documentId: old.documentId }] }],
  ] as const;
  return [dice.pick(forms as unknown as [unknown, ...unknown[]]), name];
}

const FLAGS = [
  [true, true],
  [false, false],
  ['true', true],
  ['0', false],
  [1, true],
  [false, false],
] as const;

function likesFrom(present: readonly string[], { dice, reds }: Making): readonly [unknown, readonly string[]] {
  const some = reds.filter(() => dice.once(2));
  const [gone] = reds;
  const without = (list: readonly string[], left: readonly string[]) => list.filter((each) => !left.includes(each));
  return dice.pick<readonly [unknown, readonly string[]]>([
    [some, some],
    [{ set: some.map((documentId) => ({ documentId })) }, some],
    [null, []],
    [{ connect: some }, [...without(present, some), ...some]],
    [{ disconnect: [gone] }, without(present, [gone ?? ''])],
  ]);
}

type Pair = readonly [sent: unknown, read: unknown];
type Part = Readonly<Record<string, Pair | undefined>>;

/** What a body says of the project's own attributes. */
function ownParts(account: Account | undefined, making: Making): Part {
  const { dice, accounts, blues } = making;
  const nickname = dice.pick(['Nick', 'Nock', 'n\'"%_', null]);
  const isTakenNick = nickname !== null && accounts.some((other) => other !== account && other.nickname === nickname);
  const home = dice.pick<string | null>([null, ...blues]);
  return {
    nickname: dice.once(4) ? [nickname, isTakenNick ? undefined : nickname] : undefined,
    age: dice.once(4)
      ? dice.pick<Pair>([
          [7, 7],
          ['12', 12],
          [null, null],
          [0, 0],
          [-1, undefined],
        ])
      : undefined,
    likes: dice.once(3) ? likesFrom(account?.likes ?? [], making) : undefined,
    home: dice.once(4) ? [home && dice.once(2) ? { connect: [home] } : home, home] : undefined,
  };
}

function nameParts(account: Account | undefined, { dice, accounts }: Making): Part {
  const others = accounts.filter((other) => other !== account);
  const username = dice.pick(Object.keys(USERNAMES) as [string, ...string[]]);
  const email = dice.pick([...EMAILS, ...MORE_EMAILS] as [string, ...string[]]);
  const fits = (name: string, own: string | undefined) => name === own || !isTaken(name, others);
  return {
    username: dice.once(30)
      ? [dice.pick<unknown>(['ab', '', 5, ['Anna']]), undefined]
      : [username, fits(username, account?.username) ? username : undefined],
    email: dice.once(30)
      ? [dice.pick<unknown>(['nobody', '', 5, null]), undefined]
      : [email, fits(email.toLowerCase(), account?.email) ? email.toLowerCase() : undefined],
  };
}

const passwordPart = ({ dice }: Making): Pair => {
  const password = passwordFrom(dice);
  return dice.once(30) ? [dice.pick<unknown>(['short', 5, ['Passw0rd']]), undefined] : [password, password];
};

/** Those whom another provider vouches for need none. */
const changedPassword = ({ provider }: Account, making: Making): Pair =>
  making.dice.once(8) ? [null, provider === 'local' ? undefined : null] : passwordPart(making);

/** Keys that no body may set; they are passed over. */
const IGNORED = { id: 77, documentId: 'mine', resetPasswordToken: 'abc', passwordChangedAt: '2030-01-01', nope: 1 };

function bodyOf(parts: Part, dice: Dice): Body {
  const given = Object.entries(parts).flatMap(([name, pair]) => (pair ? [[name, ...pair] as const] : []));
  const sent = Object.fromEntries(given.map(([name, value]) => [name, value]));
  const isRefused = given.some(([, , value]) => value === undefined);
  const change = Object.fromEntries(given.map(([name, , value]) => [name, value]));
  return { data: { ...(dice.once(4) && IGNORED), ...sent }, change: isRefused ? undefined : change };
}

const NEW: Change = {
  ...{ provider: 'local', confirmed: false, blocked: false, role: 'authenticated', nickname: null, age: 18, likes: [] },
  home: null,
};

const withDefaults = ({ data, change }: Body, more: Change = {}): Body => ({
  data,
  change: change && { ...NEW, ...change, ...more },
});

export function newUser(making: Making): Body {
  const { dice } = making;
  const flag = () => (dice.once(3) ? dice.pick<Pair>(FLAGS) : undefined);
  const parts = { ...nameParts(undefined, making), password: passwordPart(making), role: newRole(making) };
  const flags = { confirmed: flag(), blocked: flag() };
  return withDefaults(bodyOf({ ...parts, ...flags, ...ownParts(undefined, making) }, dice));
}

/** Those who register may set their nickname alone. */
export function registration(making: Making): Body {
  const { dice } = making;
  const { nickname } = ownParts(undefined, making);
  const more: Part = { nickname, ...(dice.once(8) && { role: [making.roles.reds.id, undefined] }) };
  const { data, change } = bodyOf({ ...nameParts(undefined, making), password: passwordPart(making), ...more }, dice);
  const allowed = Object.entries(data).filter(([name]) => !(name in IGNORED));
  return withDefaults({ data: Object.fromEntries(allowed), change }, { confirmed: true });
}

export function changedUser(account: Account, making: Making): Body {
  const { dice } = making;
  const { username, email } = nameParts(account, making);
  const flag = (sides: number) => (dice.once(sides) ? dice.pick<Pair>(FLAGS) : undefined);
  const provider = dice.pick([
    ['local', 'local'],
    ['local', 'local'],
    ['google', 'google'],
  ] as const);
  const parts: Part = {
    username: dice.once(3) ? username : undefined,
    email: dice.once(3) ? email : undefined,
    password: dice.once(4) ? changedPassword(account, making) : undefined,
    confirmed: flag(2),
    blocked: flag(3),
    provider: dice.once(8) ? provider : undefined,
    role: dice.once(2) ? changedRole(account, making) : undefined,
  };
  return bodyOf({ ...parts, ...ownParts(account, making) }, dice);
}
