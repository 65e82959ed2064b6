/**
 * @module TypeScript of what documents have with a preset of `populates`.
 */
import { EVERYTHING } from '../../src/access/grants.ts';
import { hasCount } from '../../src/content/plan/model/node-kinds.ts';
import type { Populate, Selection } from '../../src/content/plan/model/read-plan.ts';
import { presetSchemaName, presetSelections } from '../../src/features/description/preset-schemas.ts';
import { type ApiShapes, routedShapes, type Shape } from '../../src/features/description/shapes.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

const quoted = (name: string): string => JSON.stringify(name);

/** Attributes, and with all that is populated; every key is there. */
function selectionType({ attributes, populate }: Selection, shape: Shape, shapes: ApiShapes): string {
  if (populate.length === 0 && attributes.length === shape.shown.filter(isScalar).length) return `${shape.name}<S>`;
  const identity = shape.contentType ? ['id', 'documentId'] : ['id'];
  const names = [...identity, ...attributes.map(({ name }) => name)].map(quoted).join(' | ');
  const members = populate.map((node) => `${quoted(node.name)}: ${nodeType(node, shape, shapes)}`);
  const counted = populate.filter(hasCount).map(({ name }) => `${quoted(name)}: number`);
  const all = counted.length > 0 ? [...members, `$counts: { ${counted.join('; ')} }`] : members;
  const own = `Pick<${shape.name}<S>, ${names}>`;
  return all.length > 0 ? `(${own} & { ${all.join('; ')} })` : own;
}

function nodeType(node: Populate, shape: Shape, shapes: ApiShapes): string {
  const value = (selection: Selection, uid: string, { count, multiple }: { count: boolean; multiple: boolean }) => {
    if (count) return '{ count: number }';
    const type = selectionType(selection, shapes.of(uid), shapes);
    return multiple ? `${type}[]` : `${type} | null`;
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
      const parts = [...node.parts].map(
        ([uid, part]) => `({ __component: ${quoted(uid)} } & ${selectionType(part, shapes.of(uid), shapes)})`,
      );
      return parts.length > 0 ? `(${parts.join(' | ')})[]` : 'never[]';
    }
    case 'polymorphic':
      if (node.count) return '{ count: number }';
      return node.multiple ? 'TypedDocument<S>[]' : 'TypedDocument<S> | null';
    case 'related':
      return '{ readonly documentId: string; readonly __type: string }[]';
    default:
      return node satisfies never;
  }
}

export interface PresetType {
  /** The type of documents, such as `Article`. */
  readonly shape: string;
  /** `@card` */
  readonly preset: string;
  /** `Article_card` */
  readonly name: string;
  readonly declaration: string;
}

/** Returns a type for each preset. */
export const presetTypes = (registry: Registry, shapes: ApiShapes, settings: Settings): readonly PresetType[] =>
  routedShapes(registry, shapes).flatMap(([, shape, type]) =>
    presetSelections(type, { registry, settings, grants: EVERYTHING }).map(([preset, selection]) => {
      const name = presetSchemaName(shape, preset);
      const head = `/** A document with \`populate=${preset}\`. */\nexport type ${name}`;
      const declaration = `${head}<S extends Status = 'published'> = ${selectionType(selection, shape, shapes)};`;
      return { shape: shape.name, preset, name, declaration };
    }),
  );
