/**
 * @module The walk of what a plan shows of a document, for those who write it down.
 */
import { hasCount, isComponentNode, isMixedNode, isUsage, isZoneNode } from '../../content/plan/model/node-kinds.ts';
import type { Populate, Selection } from '../../content/plan/model/read-plan.ts';
import { stepTarget } from '../../content/plan/read/dependencies.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import type { ApiShapes, Shape } from './shapes.ts';

/** What is shown of a part of a document, besides its scalars. */
export interface ShownMembers<T> {
  readonly populated: readonly (readonly [name: string, value: T])[];
  /** Names of the lists whose numbers are in `$counts`. */
  readonly counted: readonly string[];
}

/** Writes one form of a description. */
export interface SelectionWriter<T> {
  /** All scalars, and nothing that is populated. */
  whole(shape: Shape): T;
  part(shape: Shape, attributes: Selection['attributes'], members: ShownMembers<T>): T;
  list(item: T): T;
  nullable(item: T): T;
  /** @param key says which one it is, by its uid */
  tagged(key: '__component' | '__type', uid: string, item: T): T;
  oneOf(items: readonly T[]): T;
  readonly count: T;
  /** A document that uses a file. */
  readonly use: T;
}

export function writeSelection<T>(
  { attributes, populate }: Selection,
  shape: Shape,
  shapes: ApiShapes,
  writer: SelectionWriter<T>,
): T {
  if (populate.length === 0 && attributes.length === shape.shown.filter(isScalar).length) return writer.whole(shape);
  const populated = populate.map((node) => [node.name, writeNode(node, shape, shapes, writer)] as const);
  return writer.part(shape, attributes, { populated, counted: populate.filter(hasCount).map(({ name }) => name) });
}

function writeNode<T>(node: Populate, shape: Shape, shapes: ApiShapes, writer: SelectionWriter<T>): T {
  const of = (selection: Selection, uid: string): T => writeSelection(selection, shapes.of(uid), shapes, writer);
  if (isUsage(node)) return writer.list(writer.use);
  if (isZoneNode(node))
    return writer.list(
      writer.oneOf([...node.parts].map(([uid, part]) => writer.tagged('__component', uid, of(part, uid)))),
    );
  if (node.count) return writer.count;
  const shown = (item: T): T => (node.multiple ? writer.list(item) : writer.nullable(item));
  if (isComponentNode(node)) return shown(of(node.selection, node.attribute.component));
  if (!isMixedNode(node)) return shown(of(node.selection, stepTarget(node)?.uid ?? shape.uid));
  const types = node.parts.map((part) => {
    const uid = stepTarget(part)?.uid ?? '';
    return writer.tagged('__type', uid, of(part.selection, uid));
  });
  return shown(writer.oneOf(types));
}
