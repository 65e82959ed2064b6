/**
 * @module What the rule about unions must find: each export but the last is silent about a kind that is added later.
 */
import type { Attribute, Component, ContentType } from '../../src/schema/model.ts';

export const byAnother = (attribute: Attribute): boolean => attribute.kind !== 'relation';

export const byOne = (attributes: readonly Attribute[]): Attribute | undefined =>
  attributes.find(({ kind }) => kind === 'scalar');

export const byProperty = (owner: ContentType | Component): boolean => 'table' in owner;

export function byDefault(attribute: Attribute): number {
  switch (attribute.kind) {
    case 'scalar':
      return 1;
    default:
      return 0;
  }
}

export function byOmission(attribute: Attribute): void {
  switch (attribute.kind) {
    case 'scalar':
      throw new Error('a scalar');
  }
}

export const byPredicate = (attribute: Attribute): attribute is Extract<Attribute, { kind: 'creator' }> =>
  attribute.kind === 'creator';
