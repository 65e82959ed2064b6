/**
 * @module One value in a table.
 */
import { Link } from 'react-router';
import { type Attribute, NUMBER_TYPES } from '../model/attribute.ts';
import { titleOf, type Values } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { Icon } from '../ui/icon.tsx';
import { columnKind } from './columns.ts';

/** Longer texts are cut before they are rendered. */
const LONGEST = 160;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const isImage = ({ mime }: Values): boolean => String(mime).startsWith('image/');

/** Returns the text of blocks without their form. */
function blockText(blocks: unknown): string {
  if (Array.isArray(blocks)) return blocks.map(blockText).join(' ');
  const { text, children } = (blocks ?? {}) as Values;
  return typeof text === 'string' ? text : blockText(children ?? []);
}

function timeText(type: string, value: string): string {
  if (type === 'time') return value.replace(/\.0+$/, '');
  const time = new Date(type === 'date' ? `${value}T00:00:00Z` : value);
  if (Number.isNaN(time.getTime())) return value;
  return type === 'date'
    ? time.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
    : time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

function Thumbnail({ file }: { readonly file: Values }) {
  const formats = file.formats as Readonly<Record<string, Values>> | null | undefined;
  const url = formats?.thumbnail?.url ?? (isImage(file) ? file.url : undefined);
  const name = String(file.alternativeText ?? file.name ?? '');
  if (typeof url === 'string') return <img className="thumbnail" src={url} alt={name} loading="lazy" />;
  return (
    <span className="file-name">
      <Icon name="document" />
      <span className="ellipsis">{cut(name)}</span>
    </span>
  );
}

function RelatedTitle({ attribute, value }: { readonly attribute: Attribute; readonly value: Values }) {
  const { types } = useModel();
  const type = types.get(String(value.__type ?? attribute.target));
  const title = cut(titleOf(type, value));
  if (!type || type.isSystem || type.kind === 'singleType') return title;
  return <Link to={`/content/${type.segment}/${String(value.documentId)}`}>{title}</Link>;
}

function plainText({ type }: Attribute, value: unknown): string {
  if (type === 'blocks') return blockText(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return ['date', 'datetime', 'time'].includes(type) ? timeText(type, String(value)) : String(value);
}

export const isNumber = (attribute: Attribute): boolean =>
  NUMBER_TYPES.includes(attribute.type) || ['count', 'files', 'zone'].includes(columnKind(attribute));

export function Cell({ attribute, value }: { readonly attribute: Attribute; readonly value: unknown }) {
  const kind = columnKind(attribute);
  const isNothing = value === null || value === undefined || value === '';
  if (kind === 'files' || kind === 'zone') return Array.isArray(value) ? value.length : 0;
  if (kind === 'count') return String((value as Values | null | undefined)?.count ?? 0);
  if (isNothing) return <span className="muted">–</span>;
  if (kind === 'file') return <Thumbnail file={value as Values} />;
  if (kind === 'document') return <RelatedTitle attribute={attribute} value={value as Values} />;
  if (attribute.type === 'boolean') return value ? 'Yes' : 'No';
  if (attribute.type === 'enumeration') return <span className="badge">{String(value)}</span>;
  return cut(plainText(attribute, value));
}
