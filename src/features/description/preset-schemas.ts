/**
 * @module What documents have with a preset of `populates`: their exact schemas.
 */
import { type Grants, ruleOf } from '../../access/grants.ts';
import { ApiError } from '../../common/errors.ts';
import { hasCount } from '../../content/plan/model/node-kinds.ts';
import type { Populate, Selection } from '../../content/plan/model/read-plan.ts';
import { planSelection } from '../../content/plan/read/plan-read.ts';
import { NO_PARAMS } from '../../content/request/plain-params.ts';
import { parsePopulate } from '../../content/request/populate.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import {
  arrayOf,
  count,
  integerSchema,
  type JsonSchema,
  nullable,
  objectOf,
  ref,
  type Schemas,
  text,
} from './json-schema.ts';
import { shownAttribute, USE } from './openapi-schemas.ts';
import type { ApiShapes, Shape } from './shapes.ts';

function selectionSchema({ attributes, populate }: Selection, shape: Shape, shapes: ApiShapes): JsonSchema {
  if (populate.length === 0 && attributes.length === shape.shown.filter(isScalar).length) return ref(shape.name);
  const scalars = attributes.map((attribute) => [attribute.name, shownAttribute(attribute, shape, shapes)] as const);
  const others = populate.map((node) => [node.name, nodeSchema(node, shape, shapes)] as const);
  const counted = populate.filter(hasCount).map(({ name }) => name);
  const counts = objectOf(Object.fromEntries(counted.map((name) => [name, count])), counted);
  const properties = {
    id: integerSchema,
    ...(shape.contentType && { documentId: text }),
    ...Object.fromEntries([...scalars, ...others]),
    ...(counted.length > 0 && { $counts: counts }),
  };
  return objectOf(properties, Object.keys(properties));
}

function nodeSchema(node: Populate, shape: Shape, shapes: ApiShapes): JsonSchema {
  const value = (
    selection: Selection,
    uid: string,
    { count: isCount, multiple }: { count: boolean; multiple: boolean },
  ) => {
    if (isCount) return ref('Count');
    const schema = selectionSchema(selection, shapes.of(uid), shapes);
    return multiple ? arrayOf(schema) : nullable(schema);
  };
  switch (node.kind) {
    case 'link':
      return value(node.selection, node.link.target.uid, node);
    case 'reference':
      return value(node.selection, node.target.uid, node);
    case 'localizations':
      return value(node.selection, shape.uid, node);
    case 'component':
      return value(node.selection, node.attribute.component, node);
    case 'dynamiczone': {
      const parts = [...node.parts].map(([uid, part]) => ({
        allOf: [
          selectionSchema(part, shapes.of(uid), shapes),
          objectOf({ __component: { const: uid } }, ['__component']),
        ],
      }));
      return arrayOf({ oneOf: parts });
    }
    case 'polymorphic':
      if (node.count) return ref('Count');
      return node.multiple ? arrayOf(ref('TypedDocument')) : nullable(ref('TypedDocument'));
    case 'related':
      return arrayOf(USE);
    default:
      return node satisfies never;
  }
}

interface PresetReader {
  readonly registry: Registry;
  readonly settings: Settings;
  /** The reader sees no more of a preset than its requests show. */
  readonly grants: Grants;
}

/** Returns what a response shows with each preset of a type, by its name with `@`. */
export function presetSelections(
  type: ContentType,
  { registry, settings, grants }: PresetReader,
): readonly (readonly [name: string, Selection])[] {
  if (!settings.api.rest.extensions) return [];
  const reader = { registry, settings, grants, rule: ruleOf(grants, type.uid, 'find') };
  return Object.keys(settings.populates[type.uid] ?? {}).flatMap((name) => {
    const populate = parsePopulate(`@${name}`);
    try {
      return [[`@${name}`, planSelection({ ...NO_PARAMS, ...(populate && { populate }) }, type, reader)] as const];
    } catch (error) {
      // It filters or sorts by what the reader may not see.
      if (error instanceof ApiError) return [];
      throw error;
    }
  });
}

/** Returns the schemas of the presets of a type, by their names with `@`. */
export const presetSchemas = (type: ContentType, shape: Shape, shapes: ApiShapes, reader: PresetReader): Schemas =>
  Object.fromEntries(
    presetSelections(type, reader).map(([name, selection]) => [name, selectionSchema(selection, shape, shapes)]),
  );

/** `Article_card`: no other schema has an underscore in its name. */
export const presetSchemaName = ({ name }: Shape, preset: string): string => `${name}_${preset.slice(1)}`;
