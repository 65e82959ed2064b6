/**
 * @module The texts of a `blocks` value that carry its source map: one in each block, as in Strapi 5.54.
 */
import { isObject, type JsonObject } from '../../common/json.ts';

type Change = (text: string) => string;

/** Returns the node with its first text changed; undefined if it has none. */
function withFirstText(node: unknown, change: Change): JsonObject | undefined {
  if (!isObject(node)) return undefined;
  const { type, text, children } = node;
  if (type === 'text' && typeof text === 'string') return { ...node, text: change(text) };
  for (const [index, child] of Array.isArray(children) ? children.entries() : []) {
    const changed = withFirstText(child, change);
    if (changed) return { ...node, children: (children as readonly unknown[]).with(index, changed) };
  }
  return undefined;
}

/** A list has one in each item. */
function changeList(list: JsonObject, change: Change): JsonObject {
  const children = (list.children as readonly unknown[]).map((child) => {
    if (!isObject(child)) return child;
    if (child.type === 'list') return changeList(child, change);
    return (child.type === 'list-item' && withFirstText(child, change)) || child;
  });
  return { ...list, children };
}

/** The alternative text, because a change of the URL would break the picture. */
function changeImage(block: JsonObject, change: Change): JsonObject {
  const { image } = block;
  if (!isObject(image) || typeof image.alternativeText !== 'string' || image.alternativeText === '') return block;
  return { ...block, image: { ...image, alternativeText: change(image.alternativeText) } };
}

function changeBlock(block: unknown, change: Change): unknown {
  if (!isObject(block)) return block;
  switch (block.type) {
    case 'paragraph':
    case 'heading':
    case 'quote':
      return withFirstText(block, change) ?? block;
    case 'list':
      return Array.isArray(block.children) ? changeList(block, change) : block;
    case 'image':
      return changeImage(block, change);
    default:
      return block;
  }
}

/** Changes the first text of each block, and of each item of a list. Code stays as it is. */
export const changeBlocks = (blocks: readonly unknown[], change: Change): readonly unknown[] =>
  blocks.map((block) => changeBlock(block, change));
