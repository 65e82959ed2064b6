/**
 * @module What documents have with a preset of `populates`: their exact schemas.
 */
import { type Grants, ruleOf } from '../../access/grants.ts';
import { ApiError } from '../../common/errors.ts';
import type { Selection } from '../../content/plan/model/read-plan.ts';
import { planSelection } from '../../content/plan/read/plan-read.ts';
import { NO_PARAMS } from '../../content/request/plain-params.ts';
import { parsePopulate } from '../../content/request/populate.ts';
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
import { isOf, shownAttribute, USE } from './openapi-schemas.ts';
import type { ApiShapes, Shape } from './shapes.ts';
import { type SelectionWriter, writeSelection } from './shown-selection.ts';

const writerOf = (shapes: ApiShapes): SelectionWriter<JsonSchema> => ({
  whole: ({ name }) => ref(name),
  part(shape, attributes, { populated, counted }) {
    const scalars = attributes.map((attribute) => [attribute.name, shownAttribute(attribute, shape, shapes)] as const);
    const counts = objectOf(Object.fromEntries(counted.map((name) => [name, count])), counted);
    const properties = {
      id: integerSchema,
      ...(shape.contentType && { documentId: text }),
      ...Object.fromEntries([...scalars, ...populated]),
      ...(counted.length > 0 && { $counts: counts }),
    };
    return objectOf(properties, Object.keys(properties));
  },
  list: (item) => arrayOf(item),
  nullable,
  tagged: (key, uid, item) => isOf(item, key, uid),
  oneOf: (items) => ({ oneOf: items }),
  count: ref('Count'),
  use: USE,
});

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
    presetSelections(type, reader).map(([name, selection]) => [
      name,
      writeSelection(selection, shape, shapes, writerOf(shapes)),
    ]),
  );

/** `Article_card`: no other schema has an underscore in its name. */
export const presetSchemaName = ({ name }: Shape, preset: string): string => `${name}_${preset.slice(1)}`;
