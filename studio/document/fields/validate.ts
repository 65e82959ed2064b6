/**
 * @module The rules of attributes, as the API checks them: on a draft most of them wait for its publication.
 */
import { isEmail } from '../../../src/common/email-address.ts';
import { sameFor } from '../../../src/common/same-for.ts';
import type { AttributeType } from '../../../src/schema/model.ts';
import { isVisible } from '../../../src/schema/visibility.ts';
import { type Attribute, type Attributes, isNeverShown } from '../../model/attribute.ts';
import { TYPES } from '../../model/attribute-types.ts';
import type { Model, Values } from '../../model/model.ts';
import { text } from '../../texts/text.ts';
import { attributesOf, componentOf, entriesOf, isList } from './entries.ts';
import { fieldName } from './owner.ts';

/** Errors as react-hook-form nests them; a list keeps its own error in `root`. */
type Errors = Record<string, unknown>;

interface Options {
  readonly isPublish: boolean;
}

const UID = /^[A-Za-z0-9-_.~]*$/;
const BIG = 2n ** 63n;

type Check = (value: unknown, attribute: Attribute, options: Options) => string | undefined;

const longCheck: Check = (value, { type, maxLength = TYPES[type].maxLength }) => {
  const count = String(value).length;
  return maxLength !== undefined && count > maxLength
    ? text('At most {max} characters; this has {count}', { max: String(maxLength), count })
    : undefined;
};

const shortCheck: Check = (value, { minLength }, { isPublish }) =>
  isPublish && minLength && String(value).length < minLength
    ? text('At least {min} character | At least {min} characters', { min: String(minLength), count: minLength })
    : undefined;

const addressCheck: Check = (value, _, { isPublish }) => {
  if (!isPublish || isEmail(String(value))) return undefined;
  return text(value === '' ? 'Required' : 'This is no e-mail address');
};

const patternCheck: Check = (value, { regex, required }, { isPublish }) =>
  isPublish && regex && !new RegExp(regex).test(String(value)) && (value !== '' || required)
    ? text('Must match {regex}', { regex })
    : undefined;

const slugCheck: Check = (value, { regex }, { isPublish }) =>
  isPublish && !regex && !UID.test(String(value))
    ? text('Letters without accents, digits and - _ . ~ alone')
    : undefined;

const choiceCheck: Check = (value, { enum: choices }) =>
  choices?.includes(String(value)) ? undefined : text('“{value}” is not a choice', { value: String(value) });

const finiteCheck: Check = (value) => (Number.isFinite(Number(value)) ? undefined : text('This is no number'));
const wholeCheck: Check = (value) => (Number.isInteger(Number(value)) ? undefined : text('A whole number'));

const rangeCheck: Check = (value, { min, max }, { isPublish }) => {
  if (max !== undefined && Number(value) > Number(max)) return text('At most {max}', { max: String(max) });
  return isPublish && min !== undefined && Number(value) < Number(min)
    ? text('At least {min}', { min: String(min) })
    : undefined;
};

function bigError(value: string): string | undefined {
  if (!/^[+-]?\d{1,64}$/.test(value.trim())) return text('A whole number');
  const number = BigInt(value.trim().replace(/^\+/, ''));
  return number >= BIG || number < -BIG ? text('A whole number of at most 64 bits') : undefined;
}

function jsonError(written: string): string | undefined {
  try {
    if (written.trim() !== '') JSON.parse(written);
    return undefined;
  } catch (error) {
    return text('This is no JSON: {reason}', { reason: (error as Error).message.slice(0, 200) });
  }
}

const missing = ({ required }: Attribute, { isPublish }: Options): string | undefined =>
  isPublish && required ? text('Required') : undefined;

const TEXT = [longCheck, shortCheck, patternCheck];
const NUMBER = [finiteCheck, rangeCheck];

/** The checks of values that are not empty: the first message is shown. Components and lists have their own. */
const CHECKS: Readonly<Record<AttributeType, readonly Check[]>> = {
  ...sameFor(['string', 'text', 'richtext', 'password'], TEXT),
  email: [longCheck, addressCheck, patternCheck],
  uid: [...TEXT, slugCheck],
  enumeration: [choiceCheck],
  integer: [finiteCheck, wholeCheck, rangeCheck],
  ...sameFor(['decimal', 'float'], NUMBER),
  biginteger: [(value) => bigError(String(value))],
  json: [(value, ...rest) => (value === '' ? missing(...rest) : jsonError(String(value)))],
  ...sameFor(['boolean', 'date', 'time', 'datetime', 'blocks', 'relation', 'media', 'component', 'dynamiczone'], []),
};

function scalarError(attribute: Attribute, value: unknown, options: Options): string | undefined {
  if (value === null) return missing(attribute, options);
  return CHECKS[attribute.type]
    .map((check) => check(value, attribute, options))
    .find((message) => message !== undefined);
}

function lengthError({ min, max, required }: Attribute, length: number): string | undefined {
  if (min !== undefined && (required || length > 0) && length < Number(min))
    return text('At least {min} entry | At least {min} entries', { min: String(min), count: Number(min) });
  return max !== undefined && length > Number(max)
    ? text('At most {max} entry | At most {max} entries', { max: String(max), count: Number(max) })
    : undefined;
}

const hasErrors = (errors: object): boolean => Object.keys(errors).length > 0;
const errorOf = (message: string) => ({ type: 'rule', message });

function listErrors(model: Model, attribute: Attribute, entries: readonly Values[], options: Options): unknown {
  const errors: unknown[] = [];
  entries.forEach((entry, index) => {
    const inner = validateValues(model, attributesOf(model, componentOf(attribute, entry)), entry, options);
    if (hasErrors(inner)) errors[index] = inner;
  });
  const own = options.isPublish ? lengthError(attribute, entries.length) : undefined;
  if (own) Object.assign(errors, { root: errorOf(own) });
  return hasErrors(errors) ? errors : undefined;
}

function errorsOf(model: Model, attribute: Attribute, value: unknown, options: Options): unknown {
  const { type, component } = attribute;
  // Not shown by the API, and not typed: it stays as it is.
  if (value === undefined) return undefined;
  if (type === 'relation' || type === 'media') {
    const message = model.checksLinks && entriesOf(value).length === 0 ? missing(attribute, options) : undefined;
    return message && errorOf(message);
  }
  if (isList(attribute)) return listErrors(model, attribute, entriesOf(value), options);
  if (type === 'component' && value !== null) {
    const inner = validateValues(model, attributesOf(model, component), value as Values, options);
    return hasErrors(inner) ? inner : undefined;
  }
  const message = scalarError(attribute, value, options);
  return message === undefined ? undefined : errorOf(message);
}

/** Whether the condition of an attribute holds, or depends on a stored value that no response shows. */
export function isShown({ conditions }: Attribute, attributes: Attributes, values: Values): boolean {
  if (conditions?.visible === undefined) return true;
  const logic = JSON.stringify(conditions.visible);
  const isUnknown = ([name, each]: readonly [string, Attribute]) =>
    isNeverShown(each) && values[fieldName(name)] === undefined && logic.includes(`"${name}"`);
  if (Object.entries(attributes).some(isUnknown)) return true;
  const data = Object.fromEntries(Object.keys(attributes).map((name) => [name, values[fieldName(name)]]));
  return isVisible({ visible: conditions.visible }, data);
}

/** Returns the errors of the form, an empty object where there are none. */
export const validateValues = (model: Model, attributes: Attributes, values: Values, options: Options): Errors =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, attribute]) => isShown(attribute, attributes, values))
      .map(([name, attribute]) => [fieldName(name), errorsOf(model, attribute, values[fieldName(name)], options)])
      .filter(([, errors]) => errors !== undefined),
  );
