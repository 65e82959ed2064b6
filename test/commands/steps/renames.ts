/**
 * @module Renames: all that is seen has the new name in the place of the old one.
 */
import { newName, type Owner, partUid, replaceInModel } from '../../generators/models.ts';
import { renamed } from '../seen.ts';
import { MIGRATE, type NewStep, ofChain } from './step.ts';

const BESIDE = { isMigration: true, isBesideWriter: true } as const;

export const renameAttribute: NewStep = (model, dice) => {
  const owner = ofChain<Owner>([...model.types, ...model.parts], dice);
  const names = [...owner.attributes.keys()];
  if (names.length === 0) return undefined;
  const from = ofChain(names, dice);
  const to = newName(model, 'attr');
  // The other side of a relation stores nothing.
  const isStored = owner.attributes.get(from)?.mappedBy === undefined;
  replaceInModel(model, from, to);
  const subject = model.parts.includes(owner) ? partUid(owner) : owner.name;
  return {
    ...{ title: `rename ${subject}.${from}`, ...BESIDE },
    lines: [isStored ? `generate --rename ${subject}.${from}=${to}` : 'generate', MIGRATE],
    expected: (before) => renamed(before, from, to),
  };
};

export const renameType: NewStep = (model, dice) => {
  const type = ofChain(model.types, dice);
  const from = type.name;
  type.name = newName(model, 'kind');
  replaceInModel(model, from, type.name);
  return {
    ...{ title: `rename the type ${from}`, ...BESIDE },
    lines: [`generate --rename-type ${from}=${type.name}`, MIGRATE],
    expected: (before) => renamed(before, from, type.name),
  };
};

export const renameComponent: NewStep = (model, dice) => {
  const part = ofChain(model.parts, dice);
  const from = part.name;
  part.name = newName(model, 'part');
  replaceInModel(model, from, part.name);
  return {
    ...{ title: `rename the component ${from}`, ...BESIDE },
    lines: [`generate --rename-component part.${from}=part.${part.name}`, MIGRATE],
    expected: (before) => renamed(before, from, part.name),
  };
};
