/**
 * @module The rules of one scalar value: type first, then, if it fits, everything its attribute declares.
 * On drafts `required`, `min`, `minLength`, `regex`, email format and `unique` wait for publication.
 */
import type { Issue } from '../../errors.ts';
import { isEmail } from '../../registry/email.ts';
import { FIELDS, type FieldKind, isBigInteger } from '../../registry/fields.ts';
import type { FieldValues, ScalarAttribute, ScalarType } from '../../registry/model.ts';
import { blockIssues } from './blocks.ts';
import { NOT_UNIQUE, printPath, wrongType } from './messages.ts';

export interface RuleContext {
  /** Is the value that of a draft, checked in part? */
  readonly draft: boolean;
  /** Does the value come from the database, passwords hashed? */
  readonly stored?: boolean;
  readonly operation: 'create' | 'update';
  /** Values that another published document has: names of attributes, and paths of what stands in components. */
  readonly taken: ReadonlySet<string>;
}

export interface Checked {
  /** The value in the attribute's own type; undefined when nothing was given. */
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/** Returns the message of a broken rule. */
type Rule<T> = (value: T, attribute: ScalarAttribute, draft: boolean) => string | undefined;

const UID = /^[A-Za-z0-9-_.~]*$/;
/** A text without a length of its own is a VARCHAR(255) in the reference. */
const STRING_LENGTH = 255;

const longest: Rule<string> = (value, { type, maxLength = type === 'string' ? STRING_LENGTH : undefined }) =>
  maxLength !== undefined && value.length > maxLength ? `must be at most ${maxLength} characters` : undefined;

const shortest: Rule<string> = (value, { minLength }, draft) =>
  !draft && minLength && value.length < minLength ? `must be at least ${minLength} characters` : undefined;

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

const whole: Rule<number> = (value) => (Number.isInteger(value) ? undefined : 'must be an integer');
const finite: Rule<number> = (value) => (Number.isFinite(value) ? undefined : 'must be a finite number');
const wholeText: Rule<unknown> = (value) => (isBigInteger(value) ? undefined : 'must be a valid integer');

const bound = (limit: number | undefined, { type }: ScalarAttribute): number | undefined =>
  limit !== undefined && type === 'integer' ? Math.trunc(limit) : limit;

const least: Rule<number> = (value, attribute, draft) => {
  const min = bound(attribute.min, attribute);
  return !draft && min !== undefined && value < min ? `must be greater than or equal to ${min}` : undefined;
};

const most: Rule<number> = (value, attribute) => {
  const max = bound(attribute.max, attribute);
  return max !== undefined && value > max ? `must be less than or equal to ${max}` : undefined;
};

const TEXT: readonly Rule<string>[] = [shortest, longest, pattern];
const NUMBER: readonly Rule<number>[] = [finite, least, most];

const RULES: { readonly [K in ScalarType]: readonly Rule<FieldValues[K]>[] } = {
  string: TEXT,
  text: TEXT,
  richtext: TEXT,
  password: TEXT,
  // The reference's "cannot be empty" takes the place of minLength.
  email: [longest, pattern, email, filled],
  uid: [shortest, longest, pattern, uidPattern],
  enumeration: [listed],
  integer: [whole, least, most],
  decimal: NUMBER,
  float: NUMBER,
  biginteger: [wholeText],
  boolean: [],
  date: [],
  datetime: [],
  time: [],
  json: [],
  blocks: [],
};

/** Texts that a longer or another one is no value of. */
const SHORT: ReadonlySet<string> = new Set(['string', 'enumeration']);

/** Types that the reference does not type-check: a missing value is all that can be wrong with null. */
const nullable = ({ type }: ScalarAttribute): boolean => type === 'boolean' || FIELDS[type].typeName === undefined;

function missing(
  attribute: ScalarAttribute,
  value: unknown,
  original: unknown,
  path: readonly string[],
  context: RuleContext,
): Checked {
  const required = attribute.required && !context.draft;
  if (!required || (value === undefined && context.operation === 'update')) return { value, issues: [] };
  const at = printPath(path);
  if (value === undefined) return { value, issues: [{ path, message: `${at} must be defined.` }] };
  const { typeName = '' } = FIELDS[attribute.type];
  if (nullable(attribute)) {
    const message = context.operation === 'create' ? `${at} must be defined.` : `${at} cannot be null.`;
    return { value, issues: [{ path, message, value: null }] };
  }
  const shown = typeName === 'number' ? Number.NaN : null;
  return { value, issues: [{ path, message: wrongType(at, typeName, shown, original), value: null }] };
}

/** Messages of the broken rules; undefined for a value that the type does not accept. */
function brokenRules<K extends ScalarType>(type: K, value: unknown, attribute: ScalarAttribute, draft: boolean) {
  const field: FieldKind<FieldValues[K]> = FIELDS[type];
  const rules: readonly Rule<FieldValues[K]>[] = RULES[type];
  if (!field.accepts(value)) return undefined;
  return rules.map((rule) => rule(value, attribute, draft)).filter((message) => message !== undefined);
}

function present(
  attribute: ScalarAttribute,
  value: unknown,
  original: unknown,
  path: readonly string[],
  context: RuleContext,
): Checked {
  if (context.stored && attribute.type === 'password') return { value, issues: [] };
  const { type } = attribute;
  if (type === 'blocks' && FIELDS.blocks.accepts(value)) return { value, issues: blockIssues(value, path) };
  const issueOf = (message: string): Issue => ({ path, message: `${printPath(path)} ${message}`, value });
  const broken = brokenRules(type, value, attribute, context.draft);
  if (!broken) {
    const { typeName = '' } = FIELDS[type];
    const wrong = { path, message: wrongType(printPath(path), typeName, value, original), value };
    return { value, issues: type === 'enumeration' ? [wrong, issueOf(unlisted(attribute))] : [wrong] };
  }
  const issues = broken.map(issueOf);
  if (!context.draft && attribute.unique && context.taken.has(path.join('.')))
    issues.push({ path, message: NOT_UNIQUE, value });
  return { value, issues };
}

/** An attribute of which only the type is looked at; those for short texts and enumerations take any text. */
export function withoutRules(attribute: ScalarAttribute): ScalarAttribute {
  const { max: _, maxLength: __, ...rest } = attribute;
  return { ...rest, type: SHORT.has(attribute.type) ? 'text' : attribute.type, required: false, unique: false };
}

/** Checks one value against its attribute; a default takes the place of nothing on create. */
export function checkScalar(
  attribute: ScalarAttribute,
  given: unknown,
  path: readonly string[],
  context: RuleContext,
): Checked {
  const original = given === undefined && context.operation === 'create' ? attribute.default : given;
  const value = original === null || original === undefined ? original : FIELDS[attribute.type].cast(original);
  // JSON is looked at as it was sent: the text `null` is something.
  const seen = attribute.type === 'json' ? original : value;
  return seen === null || seen === undefined
    ? missing(attribute, value, original, path, context)
    : present(attribute, value, original, path, context);
}
