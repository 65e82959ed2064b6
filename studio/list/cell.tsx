/**
 * @module One value in a table.
 */
import { Link } from 'react-router';
import { textOf } from '../document/text-of.ts';
import { type FileEntry, thumbnailOf } from '../media/file-entry.ts';
import { type Attribute, NUMBER_TYPES } from '../model/attribute.ts';
import { type Model, titleOf, type Values } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { timeText } from '../ui/time-text.ts';
import { columnKind } from './columns.ts';

/** Longer texts are cut before they are rendered. */
const LONGEST = 160;

export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function Thumbnail({ file }: { readonly file: FileEntry }) {
  const url = thumbnailOf(file);
  const name = file.alternativeText || file.name || file.documentId;
  return url ? <img className="thumbnail" src={url} alt={name} loading="lazy" /> : cut(name);
}

function RelatedTitle({ attribute, value }: { readonly attribute: Attribute; readonly value: Values }) {
  const type = useModel().types.get(String(value.__type ?? attribute.target));
  const title = cut(titleOf(type, value));
  if (type?.kind !== 'collectionType' || type.isSystem) return title;
  return <Link to={`/content/${type.segment}/${value.documentId}`}>{title}</Link>;
}

function valueText(model: Model, attribute: Attribute, value: unknown): string {
  const { type } = attribute;
  if (type === 'boolean') return value ? 'Yes' : 'No';
  if (type === 'datetime') return timeText(String(value));
  if (type === 'time') return String(value).replace(/\.0+$/, '');
  if (type !== 'date') return textOf(model, attribute, value);
  return new Date(String(value)).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
}

export const isNumber = (attribute: Attribute): boolean =>
  NUMBER_TYPES.includes(attribute.type) || ['count', 'length'].includes(columnKind(attribute));

export function Cell({ attribute, value }: { readonly attribute: Attribute; readonly value: unknown }) {
  const model = useModel();
  const kind = columnKind(attribute);
  if (kind === 'length') return Array.isArray(value) ? value.length : 0;
  if (value === null || value === undefined || value === '') return <span className="muted">–</span>;
  if (kind === 'count') return String((value as Values).count ?? 0);
  if (kind === 'file') return <Thumbnail file={value as FileEntry} />;
  if (kind === 'document') return <RelatedTitle attribute={attribute} value={value as Values} />;
  const text = cut(valueText(model, attribute, value));
  return attribute.type === 'enumeration' ? <span className="badge">{text}</span> : text;
}
