/**
 * @module Checks one scalar value against its type and the rules of its attribute, and stores it. Drafts skip `required`,
 * `min`, `minLength`, `regex`, the format of emails and `unique`.
 */
import { isEmail } from '../../../common/email-address.ts';
import { ApiError, type Issue } from '../../../common/errors.ts';
import {
  FIELDS,
  type FieldKind,
  type FieldValues,
  isBigInteger,
  type ScalarType,
  type Stored,
} from '../../../schema/fields.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { blockIssues, normaliseBlocks } from './blocks.ts';
import { type IssuePath, NOT_UNIQUE, printPath, wrongType } from './issues.ts';

export interface RuleContext {
  readonly draft: boolean;
  /** Are dates and times checked like other values? Else `storeScalar` rejects the first. */
  readonly allIssues?: boolean;
  /** Does the value come from the database, with passwords hashed? */
  readonly stored?: boolean;
  readonly operation: 'create' | 'update';
  /** Attributes, and paths in components, whose value another published document has. */
  readonly taken: ReadonlySet<string>;
}

export interface CheckedValue {
  /** Cast to the type of the attribute; undefined if absent. */
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/** Returns the message of a broken rule. */
type Rule<T> = (value: T, attribute: ScalarAttribute, draft: boolean) => string | undefined;

const UID = /^[A-Za-z0-9-_.~]*$/;
/** A string without `maxLength` is a VARCHAR(255) in Strapi. */
const STRING_LENGTH = 255;

const maxLength =
  (length?: number): Rule<string> =>
  (value, { maxLength: max = length }) =>
    max !== undefined && value.length > max ? `must be at most ${max} characters` : undefined;

const minLength: Rule<string> = (value, { minLength: min }, draft) =>
  !draft && min && value.length < min ? `must be at least ${min} characters` : undefined;

function matches(regex: RegExp, value: string, emptyPasses: boolean): string | undefined {
  if (regex.test(value) || (emptyPasses && value === '')) return undefined;
  return `must match the following: "${regex}"`;
}

const pattern: Rule<string> = (value, { regex, required }, draft) =>
  draft || !regex ? undefined : matches(regex, value, !required);

const uidPattern: Rule<string> = (value, { regex = UID }, draft) => (draft ? undefined : matches(regex, value, false));

const email: Rule<string> = (value, _, draft) =>
  draft || value === '' || isEmail(value) ? undefined : 'must be a valid email';

const filled: Rule<string> = (value, _, draft) => (!draft && value === '' ? 'cannot be empty' : undefined);

const unlisted = ({ enum: values = [] }: ScalarAttribute): string =>
  `must be one of the following values: ${[...values, ''].join(', ')}`;

const listed: Rule<string> = (value, attribute) => (attribute.enum?.includes(value) ? undefined : unlisted(attribute));

const integer: Rule<number> = (value) => (Number.isInteger(value) ? undefined : 'must be an integer');
const finite: Rule<number> = (value) => (Number.isFinite(value) ? undefined : 'must be a finite number');
const wholeText: Rule<unknown> = (value) => (isBigInteger(value) ? undefined : 'must be a valid integer');

const bounds = (round: (limit: number) => number): readonly Rule<number>[] => [
  (value, { min }, draft) =>
    !draft && min !== undefined && value < round(min) ? `must be greater than or equal to ${round(min)}` : undefined,
  (value, { max }) =>
    max !== undefined && value > round(max) ? `must be less than or equal to ${round(max)}` : undefined,
];

interface Checks<T> {
  readonly rules: readonly Rule<T>[];
  /** What the message about a required null shows; absent: Strapi does not check its type. */
  readonly nullAs?: number | null;
  /** A message in addition to that about a wrong type. */
  readonly wrong?: (attribute: ScalarAttribute) => string;
  /** The same type without limits that it has even without a rule. */
  readonly unlimited?: ScalarType;
}

const TEXT: Checks<string> = { rules: [minLength, maxLength(), pattern], nullAs: null };
const NUMBER: Checks<number> = { rules: [finite, ...bounds((limit) => limit)], nullAs: Number.NaN };
const ANY: Checks<unknown> = { rules: [] };

const CHECKS: { readonly [K in ScalarType]: Checks<FieldValues[K]> } = {
  string: { ...TEXT, rules: [minLength, maxLength(STRING_LENGTH), pattern], unlimited: 'text' },
  text: TEXT,
  richtext: TEXT,
  password: TEXT,
  // Strapi checks "cannot be empty" in place of minLength.
  email: { ...TEXT, rules: [maxLength(), pattern, email, filled] },
  uid: { ...TEXT, rules: [minLength, maxLength(), pattern, uidPattern] },
  enumeration: { ...TEXT, rules: [listed], wrong: unlisted, unlimited: 'text' },
  integer: { ...NUMBER, rules: [integer, ...bounds(Math.trunc)] },
  decimal: NUMBER,
  float: NUMBER,
  biginteger: { rules: [wholeText] },
  boolean: ANY,
  date: ANY,
  datetime: ANY,
  time: ANY,
  json: ANY,
  blocks: { rules: [], nullAs: null },
};

interface Input {
  readonly attribute: ScalarAttribute;
  /** As sent, or the default. */
  readonly original: unknown;
  /** The original, cast to the type. */
  readonly value: unknown;
  readonly path: IssuePath;
  readonly context: RuleContext;
}

function missing({ attribute: { type, required }, original, value, path, context }: Input): readonly Issue[] {
  const isUpdate = context.operation === 'update';
  if (!required || context.draft || (value === undefined && isUpdate)) return [];
  const at = printPath(path);
  if (value === undefined) return [{ path, message: `${at} must be defined.` }];
  const { nullAs } = CHECKS[type];
  if (nullAs === undefined)
    return [{ path, message: isUpdate ? `${at} cannot be null.` : `${at} must be defined.`, value: null }];
  return [{ path, message: wrongType(at, FIELDS[type].typeName ?? '', nullAs, original), value: null }];
}

/** Returns the messages of broken rules; undefined for a value of another type. */
function brokenRules<K extends ScalarType>(type: K, value: unknown, attribute: ScalarAttribute, draft: boolean) {
  const field: FieldKind<FieldValues[K]> = FIELDS[type];
  const { rules }: Checks<FieldValues[K]> = CHECKS[type];
  if (!field.accepts(value)) return undefined;
  return rules.map((rule) => rule(value, attribute, draft)).filter((message) => message !== undefined);
}

/** Returns what is wrong with the format of a date or time. */
function malformedTime(type: ScalarType, value: unknown): string | undefined {
  try {
    storeScalar({ type }, value);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function present({ attribute, original, value, path, context }: Input): readonly Issue[] {
  const { type, unique } = attribute;
  const { hashed, json, typeName = '', accepts } = FIELDS[type];
  if (context.stored && hashed) return [];
  if (json === 'nodes' && accepts(value)) return blockIssues(value, path);
  const issueOf = (message: string): Issue => ({ path, message: `${printPath(path)} ${message}`, value });
  const broken = brokenRules(type, value, attribute, context.draft);
  if (!broken) {
    const also = CHECKS[type].wrong?.(attribute);
    const wrong = { path, message: wrongType(printPath(path), typeName, value, original), value };
    return also === undefined ? [wrong] : [wrong, issueOf(also)];
  }
  const malformed = context.allIssues && !context.stored ? malformedTime(type, value) : undefined;
  if (malformed !== undefined) return [{ path, message: malformed, value }];
  const isTaken = !context.draft && unique && context.taken.has(path.join('.'));
  return [...broken.map(issueOf), ...(isTaken ? [{ path, message: NOT_UNIQUE, value }] : [])];
}

/** Keeps only the type of an attribute; strings and enumerations become text. */
export function withoutRules(attribute: ScalarAttribute): ScalarAttribute {
  const { max: _, maxLength: __, type, ...rest } = attribute;
  return { ...rest, type: CHECKS[type].unlimited ?? type, required: false, unique: false };
}

/** Checks one value against its attribute; on create the default replaces an absent one. */
export function checkScalar(
  attribute: ScalarAttribute,
  sent: unknown,
  path: IssuePath,
  context: RuleContext,
): CheckedValue {
  const original = sent === undefined && context.operation === 'create' ? attribute.default : sent;
  const { cast, json } = FIELDS[attribute.type];
  const value = original === null || original === undefined ? original : cast(original);
  // Strapi validates JSON before it parses text: the text `null` is a value.
  const seen = json === 'value' ? original : value;
  const check = seen === null || seen === undefined ? missing : present;
  return { value, issues: check({ attribute, original, value, path, context }) };
}

/** Returns a checked value in the form of its column. @throws ApiError 400 for a date or time in an unknown format */
export function storeScalar({ type }: Pick<ScalarAttribute, 'type'>, value: unknown): Stored {
  if (value === null || value === undefined) return null;
  const { json, store } = FIELDS[type];
  return store(json === 'nodes' ? normaliseBlocks(value) : value);
}
