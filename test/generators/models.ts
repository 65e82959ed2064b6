/**
 * @module A random content model whose names are each there once: a rename is then a replacement in the text of what is
 * seen.
 */
import type { SchemaFile } from '../../src/schema/build.ts';
import { FIELDS, type ScalarType } from '../../src/schema/fields.ts';
import type { Dice } from '../support/dice.ts';
import { component, contentType } from '../support/schema-files.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Owner {
  name: string;
  readonly attributes: Map<string, Json>;
}

export interface TypeModel extends Owner {
  localized: boolean;
  drafts: boolean;
  single: boolean;
  /** Has one document at most, so that it may be a single type. */
  readonly isLone: boolean;
}

export interface Model {
  readonly types: TypeModel[];
  /** Each may be in those after it. */
  readonly parts: Owner[];
  /** Of the next name. */
  names: number;
}

export const uidOf = ({ name }: Owner): string => `api::${name}.${name}`;
export const partUid = ({ name }: Owner): string => `part.${name}`;
export const pathOf = ({ name, single }: TypeModel): string => `/api/${single ? name : `${name}s`}`;

export function newName(model: Model, what: string): string {
  model.names += 1;
  return `${what}${model.names}x`;
}

/** Attributes without limits, of each type. */
const scalarJson = (type: ScalarType): Json => ({ type, ...MORE[type] });

/** What some types need. */
const MORE: Readonly<Partial<Record<ScalarType, Json>>> = { enumeration: { enum: ['a', 'b', 'c d'] } };

function addScalars(model: Model, { attributes }: Owner, dice: Dice, scalars: Scalars): void {
  for (let count = 2 + dice.below(3); count > 0; count -= 1)
    attributes.set(newName(model, 'attr'), scalarJson(dice.pick(scalars)));
}

const relation = (kind: string, target: TypeModel, more: Json = {}): Json => ({
  ...{ type: 'relation', relation: kind, target: uidOf(target) },
  ...more,
});

/** Types of which a model has attributes. */
type Scalars = readonly [ScalarType, ...ScalarType[]];
export const ALL_SCALARS = Object.keys(FIELDS) as unknown as Scalars;

export function randomModel(dice: Dice, scalars: Scalars = ALL_SCALARS): Model {
  const model: Model = { types: [], parts: [], names: 0 };
  for (let count = 0; count < 4; count += 1) {
    const isLone = count === 3;
    const type: TypeModel = {
      name: newName(model, 'kind'),
      attributes: new Map(),
      localized: dice.once(2),
      drafts: dice.once(2),
      single: isLone,
      isLone,
    };
    addScalars(model, type, dice, scalars);
    model.types.push(type);
  }
  const [first, second, third, lone] = model.types as [TypeModel, TypeModel, TypeModel, TypeModel];
  for (let count = 0; count < 2; count += 1) {
    const part: Owner = { name: newName(model, 'part'), attributes: new Map() };
    addScalars(model, part, dice, scalars);
    part.attributes.set(newName(model, 'attr'), relation('oneToOne', dice.pick([first, second])));
    const inner = model.parts[0];
    if (inner) part.attributes.set(newName(model, 'attr'), { type: 'component', component: partUid(inner) });
    model.parts.push(part);
  }
  const parts = model.parts.map(partUid);
  const [back, forth] = [newName(model, 'attr'), newName(model, 'attr')];
  first.attributes.set(forth, relation('manyToMany', second, { inversedBy: back }));
  second.attributes.set(back, relation('manyToMany', first, { mappedBy: forth }));
  second.attributes.set(newName(model, 'attr'), relation('manyToOne', third));
  third.attributes.set(newName(model, 'attr'), relation('morphToMany', first));
  first.attributes.set(newName(model, 'attr'), { type: 'component', component: parts[1], repeatable: true });
  second.attributes.set(newName(model, 'attr'), { type: 'dynamiczone', components: parts });
  third.attributes.set(newName(model, 'attr'), { type: 'media', multiple: true });
  lone.attributes.set(newName(model, 'attr'), { type: 'component', component: parts[0] });
  lone.attributes.set(newName(model, 'attr'), relation('oneToOne', first));
  return model;
}

const localizedIn = (json: Json): Json =>
  json.type === 'relation' ? json : { ...json, pluginOptions: { i18n: { localized: true } } };

const withoutTarget = ({ target: _, ...json }: Json): Json => json;

export function schemaFiles(model: Model): readonly SchemaFile[] {
  const types = model.types.map((type) => {
    const attributes = [...type.attributes].map(([name, json]) => {
      const own = json.relation === 'morphToMany' ? withoutTarget(json) : json;
      return [name, type.localized ? localizedIn(own) : own];
    });
    return contentType(type.name, Object.fromEntries(attributes), {
      drafts: type.drafts,
      localized: type.localized,
      single: type.single,
    });
  });
  return [...types, ...model.parts.map((part) => component(partUid(part), Object.fromEntries(part.attributes)))];
}

/** Changes a name in every schema. */
export function replaceInModel(model: Model, from: string, to: string): void {
  for (const { attributes } of [...model.types, ...model.parts]) {
    const replaced = [...attributes].map(
      ([name, json]) =>
        [name === from ? to : name, JSON.parse(JSON.stringify(json).replaceAll(from, to)) as Json] as const,
    );
    attributes.clear();
    for (const [name, json] of replaced) attributes.set(name, json);
  }
}
