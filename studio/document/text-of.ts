/**
 * @module Values as plain text, to be compared and read.
 */
import { type Attribute, type Attributes, labelOf } from '../model/attribute.ts';
import { type Model, titleOf, type Values } from '../model/model.ts';
import { text } from '../texts/text.ts';
import { entriesOf } from './fields/form-values.ts';

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

/** Returns a value of a document as text; '' for nothing. */
export function displayText(model: Model, attribute: Attribute, value: unknown): string {
  if (value === null || value === undefined) return '';
  switch (attribute.type) {
    case 'blocks':
      return entriesOf(value).map(textOfNode).join('\n');
    case 'component':
      return entriesOf(value)
        .map((item) => textOfComponent(model, attribute.component ?? '', item))
        .join('\n  ---\n');
    case 'dynamiczone':
      return entriesOf(value)
        .map((item) => {
          const uid = String(item.__component);
          return `${model.components.get(uid)?.name ?? uid}\n${textOfComponent(model, uid, item)}`;
        })
        .join('\n');
    case 'media':
      return entriesOf(value)
        .map(({ name }) => String(name))
        .join('\n');
    case 'relation':
      return entriesOf(value)
        .map((target) => titleOf(model.types.get(String(target.__type ?? attribute.target)), target))
        .join('\n');
    case 'json':
      return JSON.stringify(value, null, 2);
    default:
      return String(value);
  }
}
