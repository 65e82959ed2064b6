/**
 * @module The rules of attributes, as the API checks them: on a draft most of them wait for its publication.
 */
import { isEmail } from '../../../src/common/email-address.ts';
import { isVisible } from '../../../src/schema/visibility.ts';
import { type Attribute, type Attributes, isNeverShown, NUMBER_TYPES, TEXT_TYPES } from '../../model/attribute.ts';
import type { Model, Values } from '../../model/model.ts';
import { text } from '../../texts/text.ts';
import { attributesOf, componentOf, entriesOf, isList } from './form-values.ts';
import { fieldName } from './owner.ts';

/** Errors as react-hook-form nests them; a list keeps its own error in `root`. */
type Errors = Record<string, unknown>;

interface Options {
  readonly isPublish: boolean;
}

const UID = /^[A-Za-z0-9-_.~]*$/;
const BIG = 2n ** 63n;

function textError(attribute: Attribute, value: string, { isPublish }: Options): string | undefined {
  const { type, required, minLength, regex } = attribute;
  const { maxLength = type === 'string' ? 255 : Number.POSITIVE_INFINITY } = attribute;
  if (type === 'enumeration')
    return attribute.enum?.includes(value) ? undefined : text('“{value}” is not a choice', { value });
  if (value.length > maxLength)
    return text('At most {max} characters; this has {count}', { max: String(maxLength), count: value.length });
  if (!isPublish) return undefined;
  if (type === 'email') {
    if (value === '') return text('Required');
    if (!isEmail(value)) return text('This is no e-mail address');
  } else if (minLength && value.length < minLength)
    return text('At least {min} character | At least {min} characters', {
      min: String(minLength),
      count: Number(minLength),
    });
  if (regex && !new RegExp(regex).test(value) && (value !== '' || required))
    return text('Must match {regex}', { regex });
  return type === 'uid' && !regex && !UID.test(value)
    ? text('Letters without accents, digits and - _ . ~ alone')
    : undefined;
}

function numberError({ type, min, max }: Attribute, value: number, { isPublish }: Options): string | undefined {
  if (!Number.isFinite(value)) return text('This is no number');
  if (type === 'integer' && !Number.isInteger(value)) return text('A whole number');
  if (max !== undefined && value > Number(max)) return text('At most {max}', { max: String(max) });
  return isPublish && min !== undefined && value < Number(min)
    ? text('At least {min}', { min: String(min) })
    : undefined;
}

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

function scalarError(attribute: Attribute, value: unknown, options: Options): string | undefined {
  const { type, required } = attribute;
  if (value === null || (type === 'json' && value === ''))
    return options.isPublish && required ? text('Required') : undefined;
  if (type === 'biginteger') return bigError(String(value));
  if (NUMBER_TYPES.includes(type)) return numberError(attribute, Number(value), options);
  if (type === 'json') return jsonError(String(value));
  return TEXT_TYPES.includes(type) || type === 'password' ? textError(attribute, String(value), options) : undefined;
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
  if (value === undefined || type === 'relation' || type === 'media') return undefined;
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
