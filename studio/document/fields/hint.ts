/**
 * @module The rules of an attribute as a line of text.
 */
import type { Attribute } from '../../model/attribute.ts';
import { isAttributeLocalized } from '../../model/model.ts';
import { isList } from './form-values.ts';
import type { InputProps } from './owner.ts';

function between(min: number | string | undefined, max: number | string | undefined, unit: string): readonly string[] {
  if (min !== undefined && max !== undefined) return [`${min} to ${max}${unit}`];
  if (min !== undefined) return [`at least ${min}${unit}`];
  return max === undefined ? [] : [`at most ${max}${unit}`];
}

function rulesOf(attribute: Attribute): readonly string[] {
  const { type, min, max, minLength, maxLength, regex, unique, private: isPrivate } = attribute;
  return [
    ...between(minLength, maxLength, ' characters'),
    ...between(min, max, isList(attribute) ? ' entries' : ''),
    ...(regex ? [`matches ${regex}`] : []),
    ...(unique ? ['unique'] : []),
    ...(type === 'password' ? ['never shown: what you type replaces it'] : []),
    ...(isPrivate && type !== 'password' ? ['private: not shown by the API, what you type replaces it'] : []),
  ];
}

/** Returns an empty text where there is nothing to say. */
export function hintOf({ path, attribute, owner: { type } }: InputProps, more: readonly string[] = []): string {
  const isShared = type.isLocalized && !path.includes('.') && !isAttributeLocalized(type, attribute);
  const text = [...rulesOf(attribute), ...more, ...(isShared ? ['shared by all locales'] : [])].join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
