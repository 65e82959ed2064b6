/**
 * @module Collects the headings of a text, for the list of what is on the page.
 */
import type { Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly isSub: boolean;
}

/** A plugin of rehype, after rehype-slug: adds the headings of the second and third level to the list. */
export const collectHeadings = (headings: Heading[]) => (tree: Root) => {
  for (const node of tree.children)
    if (node.type === 'element' && (node.tagName === 'h2' || node.tagName === 'h3'))
      headings.push({ id: String(node.properties.id), text: textOf(node), isSub: node.tagName === 'h3' });
};
