/**
 * @module TypeScript of presets, from their schemas in the description of a deployment.
 */
import { isObject, type JsonObject } from '../../src/common/json.ts';
import { targetUid } from '../../src/content/plan/model/links.ts';
import type { ApiShapes, Shape } from '../../src/features/description/shapes.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import type { Attribute } from '../../src/schema/model.ts';
import { PRESET_WRITER } from './preset-types.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** Returns the uid of what an attribute shows; undefined if it is of several types, which name theirs. */
function shownUid(attribute: Attribute, shape: Shape): string | undefined {
  switch (attribute.kind) {
    case 'relation':
    case 'media':
      return targetUid(attribute);
    case 'component':
      return attribute.component;
    case 'localizations':
      return shape.uid;
    case 'polymorphic':
    case 'dynamiczone':
    case 'related':
    case 'scalar':
    case 'creator':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Returns the type of what `populate` brings. */
function valueType(schema: JsonObject, uid: string | undefined, shapes: ApiShapes): string {
  const { $ref, type, items, anyOf, oneOf } = schema;
  const inner = (each: JsonObject) => valueType(each, uid, shapes);
  if ($ref === '#/components/schemas/Count') return PRESET_WRITER.count;
  if (type === 'array') return PRESET_WRITER.list(inner(objectOf(items)));
  if (Array.isArray(type)) return PRESET_WRITER.nullable(inner({ ...schema, type: 'object' }));
  if (anyOf) return PRESET_WRITER.nullable(inner(objectsIn(anyOf)[0] ?? {}));
  if (oneOf) return PRESET_WRITER.oneOf(objectsIn(oneOf).map((each) => taggedType(each, shapes)));
  return uid === undefined ? PRESET_WRITER.use : documentType(schema, shapes.of(uid), shapes);
}

/** Of an entry that names its type. */
function taggedType({ allOf }: JsonObject, shapes: ApiShapes): string {
  const [shown = {}, tag = {}] = objectsIn(allOf);
  const properties = objectOf(tag.properties);
  const key = '__component' in properties ? '__component' : '__type';
  const uid = String(objectOf(properties[key]).const);
  return PRESET_WRITER.tagged(key, uid, documentType(shown, shapes.of(uid), shapes));
}

/** Returns the type of documents with a preset. @param schema such as `Article_card` */
export function documentType(schema: JsonObject, shape: Shape, shapes: ApiShapes): string {
  if (typeof schema.$ref === 'string') return PRESET_WRITER.whole(shape);
  const { $counts, ...properties } = objectOf(schema.properties);
  const shown = Object.keys(properties).flatMap((name) => shape.shown.find((each) => each.name === name) ?? []);
  const populated = shown
    .filter((attribute) => !isScalar(attribute))
    .map((attribute) => {
      const value = objectOf(properties[attribute.name]);
      return [attribute.name, valueType(value, shownUid(attribute, shape), shapes)] as const;
    });
  const counted = Object.keys(objectOf(objectOf($counts).properties));
  return PRESET_WRITER.part(shape, shown.filter(isScalar), { populated, counted });
}
