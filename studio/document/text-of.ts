/**
 * @module Values as plain text, to be compared and read.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { type Attribute, type Attributes, labelOf } from '../model/attribute.ts';
import { type Model, titleOf, type Values } from '../model/model.ts';
import { text } from '../texts/text.ts';
import { entriesOf } from './fields/entries.ts';

const indented = (lines: string): string => lines.replace(/^/gm, '  ');

/** The text of a node of blocks and of all below it; each block is a line. */
function textOfNode(node: Values): string {
  if (typeof node.text === 'string') return node.text;
  if (node.type === 'image')
    return text('[image: {name}]', { name: String((node.image as Values | undefined)?.name ?? '') });
  const inner = entriesOf(node.children).map(textOfNode);
  return node.type === 'list' ? inner.map((line) => `- ${line}`).join('\n') : inner.join('');
}

function textOfComponent(model: Model, uid: string, value: Values): string {
  const component = model.components.get(uid);
  return indented(textOfAll(model, component?.attributes ?? {}, value));
}

/** All attributes that have a value, a line or more each. */
function textOfAll(model: Model, attributes: Attributes, values: Values): string {
  return Object.entries(attributes)
    .map(([name, attribute]) => [labelOf(name), displayText(model, attribute, values[name])] as const)
    .filter(([, shown]) => shown !== '')
    .map(([label, shown]) => (shown.includes('\n') ? `${label}:\n${shown}` : `${label}: ${shown.trimStart()}`))
    .join('\n');
}

type ToText = (value: unknown, attribute: Attribute, model: Model) => string;

const TEXTS: Readonly<Record<AttributeType, ToText>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration'], String),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float', 'boolean', 'date', 'time', 'datetime'], String),
  json: (value) => JSON.stringify(value, null, 2),
  blocks: (value) => entriesOf(value).map(textOfNode).join('\n'),
  component: (value, { component = '' }, model) =>
    entriesOf(value)
      .map((item) => textOfComponent(model, component, item))
      .join('\n  ---\n'),
  dynamiczone: (value, _, model) =>
    entriesOf(value)
      .map((item) => {
        const uid = String(item.__component);
        return `${model.components.get(uid)?.name ?? uid}\n${textOfComponent(model, uid, item)}`;
      })
      .join('\n'),
  media: (value) =>
    entriesOf(value)
      .map(({ name }) => String(name))
      .join('\n'),
  relation: (value, attribute, model) =>
    entriesOf(value)
      .map((target) => titleOf(model.types.get(String(target.__type ?? attribute.target)), target))
      .join('\n'),
};

/** Returns a value of a document as text; '' for nothing. */
export const displayText = (model: Model, attribute: Attribute, value: unknown): string =>
  value === null || value === undefined ? '' : TEXTS[attribute.type](value, attribute, model);
