/**
 * @module TypeScript of what documents have with a preset of `populates`.
 */
import { EVERYTHING } from '../../src/access/grants.ts';
import { presetSchemaName, presetSelections } from '../../src/features/description/preset-schemas.ts';
import { type ApiShapes, routedShapes, type Shape } from '../../src/features/description/shapes.ts';
import { type SelectionWriter, writeSelection } from '../../src/features/description/shown-selection.ts';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

const quoted = (name: string): string => JSON.stringify(name);

/** Writes types in which every key is there. */
export const PRESET_WRITER: SelectionWriter<string> = {
  whole: ({ name }) => `${name}<S>`,
  part({ name: type, contentType }, attributes, { populated, counted }) {
    const identity = contentType ? ['id', 'documentId'] : ['id'];
    const names = [...identity, ...attributes.map(({ name }) => name)].map(quoted).join(' | ');
    const members = populated.map(([name, value]) => `${quoted(name)}: ${value}`);
    const counts = counted.map((name) => `${quoted(name)}: number`);
    const all = counts.length > 0 ? [...members, `$counts: { ${counts.join('; ')} }`] : members;
    const own = `Pick<${type}<S>, ${names}>`;
    return all.length > 0 ? `(${own} & { ${all.join('; ')} })` : own;
  },
  list: (item) => `${item}[]`,
  nullable: (item) => `${item} | null`,
  tagged: (key, uid, item) => `({ ${key}: ${quoted(uid)} } & ${item})`,
  oneOf: (items) => (items.length > 0 ? `(${items.join(' | ')})` : 'never'),
  count: '{ count: number }',
  use: '{ readonly documentId: string; readonly __type: string }',
};

export interface PresetType {
  /** The type of documents, such as `Article`. */
  readonly shape: string;
  /** `@card` */
  readonly preset: string;
  /** `Article_card` */
  readonly name: string;
  readonly declaration: string;
}

/** Returns the declaration of a preset. @param type of its documents */
export function presetType(shape: Shape, preset: string, type: string): PresetType {
  const name = presetSchemaName(shape, preset);
  const head = `/** A document with \`populate=${preset}\`. */\nexport type ${name}`;
  return { shape: shape.name, preset, name, declaration: `${head}<S extends Status = 'published'> = ${type};` };
}

/** Returns a type for each preset. */
export const presetTypes = (registry: Registry, shapes: ApiShapes, settings: Settings): readonly PresetType[] =>
  routedShapes(registry, shapes).flatMap(([, shape, type]) =>
    presetSelections(type, { registry, settings, grants: EVERYTHING }).map(([preset, selection]) =>
      presetType(shape, preset, writeSelection(selection, shape, shapes, PRESET_WRITER)),
    ),
  );
