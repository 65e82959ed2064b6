/**
 * @module One value in a table.
 */
import { Link } from 'react-router';
import { textOf } from '../document/text-of.ts';
import { type FileEntry, thumbnailOf } from '../media/file-entry.ts';
import { type Attribute, NUMBER_TYPES } from '../model/attribute.ts';
import { type ContentType, type Model, titleOf, type Values } from '../model/model.ts';
import { mayDo } from '../model/rights.ts';
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

interface DocumentTitleProps {
  readonly type: ContentType | undefined;
  readonly document: Values;
  readonly className?: string;
}

/** A link where the caller may open the document. */
export function DocumentTitle({ type, document, className }: DocumentTitleProps) {
  const model = useModel();
  const title = cut(titleOf(type, document));
  const mayOpen = type && ['findOne', 'update'].some((action) => mayDo(model, type, action));
  if (!mayOpen || type.isSystem || type.kind === 'singleType') return title;
  const locale = document.locale ? `?locale=${document.locale}` : '';
  return (
    <Link className={className} to={`/content/${type.segment}/${document.documentId}${locale}`}>
      {title}
    </Link>
  );
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
  if (kind === 'document') {
    const target = value as Values;
    return <DocumentTitle type={model.types.get(String(target.__type ?? attribute.target))} document={target} />;
  }
  const text = cut(valueText(model, attribute, value));
  return attribute.type === 'enumeration' ? <span className="badge">{text}</span> : text;
}
