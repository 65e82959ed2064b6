/**
 * @module The table of a list, and one value in it.
 */
import { type MouseEvent, useRef } from 'react';
import { textList } from '../api/query-string.ts';
import { useKeptChanges } from '../document/kept-changes.ts';
import { type Attribute, labelOf } from '../model/attribute.ts';
import { TYPES } from '../model/attribute-types.ts';
import { type FileEntry, thumbnailOf } from '../model/file-entry.ts';
import { type ContentType, type Document, editedStatus, titleOf, type Values } from '../model/model.ts';
import type { NamedAttribute } from '../model/readable.ts';
import { DocumentLink, StateBadge, StatePlace } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Icon } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { columnKind, sortPathOf } from './list-query.ts';
import { documentKeyOf, type List } from './use-list.ts';
import { valueText } from './value-text.ts';

const placeOf = (type: ContentType, { documentId, locale }: Document) => ({
  type,
  documentId,
  locale: type.isLocalized ? (locale ?? undefined) : undefined,
});

/** Longer texts are cut before they are rendered. */
const LONGEST = 160;

const cut = (shown: string): string => (shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown);

function Thumbnail({ file }: { readonly file: FileEntry }) {
  const url = thumbnailOf(file);
  const name = file.alternativeText || file.name || file.documentId;
  return url ? <img className="thumbnail" src={url} alt={name} loading="lazy" /> : cut(name);
}

const isNumber = (attribute: Attribute): boolean =>
  TYPES[attribute.type].isNumber === true || ['count', 'length'].includes(columnKind(attribute));

interface CellProps {
  readonly column: NamedAttribute;
  readonly value: unknown;
}

/** What the server writes itself: of other times the hour may matter. */
const MOMENTS: readonly string[] = ['createdAt', 'updatedAt', 'publishedAt'];

function Cell({ column: [name, attribute], value }: CellProps) {
  const model = useModel();
  const kind = columnKind(attribute);
  if (kind === 'length') return Array.isArray(value) ? value.length : 0;
  if (value === null || value === undefined || value === '') return <span className="muted">–</span>;
  if (kind === 'count') return String((value as Values).count ?? 0);
  if (kind === 'file') return <Thumbnail file={value as FileEntry} />;
  if (kind === 'document') {
    const target = value as Values;
    return <DocumentLink type={model.types.get(String(target.__type ?? attribute.target))} document={target} />;
  }
  const shown = cut(valueText(model, attribute, value));
  if (MOMENTS.includes(name)) return <Time of={String(value)} />;
  return shown;
}

/** A click sorts up, the next one down, the third one not at all. */
function Header({ list, column: [name, attribute] }: { readonly list: List; readonly column: NamedAttribute }) {
  const path = sortPathOf(useModel(), name, attribute);
  const [sorted, direction] = textList(list.query.sort)[0]?.split(':') ?? [];
  const order = path === undefined || sorted !== path ? 'none' : direction === 'desc' ? 'descending' : 'ascending';
  const next = { none: path, ascending: `${path}:desc`, descending: undefined }[order];
  return (
    <th scope="col" aria-sort={path ? order : undefined} className={isNumber(attribute) ? 'right' : ''}>
      {path ? (
        <button type="button" onClick={() => list.change({ sort: next })}>
          {labelOf(name)}
          {order !== 'none' && <Icon name={order === 'ascending' ? 'up' : 'down'} />}
        </button>
      ) : (
        labelOf(name)
      )}
    </th>
  );
}

/** @param isSelectable whether anything can be done with selected documents */
export function Table({ list, isSelectable }: { readonly list: List; readonly isSelectable: boolean }) {
  const { type, columns, documents, states, selection } = list;
  const hasStates = editedStatus(type) === 'draft';
  const hasKeptChanges = useKeptChanges();
  const last = useRef(0);
  const keys = documents.map(documentKeyOf);
  const isAll = selection.size === keys.length;
  const title: NamedAttribute = [type.titleAttribute, type.attributes[type.titleAttribute] ?? { type: 'string' }];
  const select = (index: number, isRange: boolean, isOn: boolean) => {
    const from = isRange ? last.current : index;
    const range = keys.slice(Math.min(from, index), Math.max(from, index) + 1);
    last.current = index;
    list.select(new Set(isOn ? [...selection, ...range] : [...selection].filter((key) => !range.includes(key))));
  };
  const box = (label: string, isOn: boolean, onClick: (event: MouseEvent) => void) => (
    <input type="checkbox" aria-label={label} checked={isOn} onChange={() => undefined} onClick={onClick} />
  );
  return (
    <div className="card table-frame">
      <table className="list">
        <thead>
          <tr>
            {isSelectable && (
              <th scope="col" className="check-cell">
                {box(text('Select all documents of this page'), isAll, () => list.select(new Set(isAll ? [] : keys)))}
              </th>
            )}
            <Header list={list} column={title} />
            {hasStates && <th scope="col">{text('Status')}</th>}
            {columns.map((column) => (
              <Header key={column[0]} list={list} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {documents.map((document, index) => {
            const key = documentKeyOf(document);
            const isSelected = selection.has(key);
            return (
              <tr key={key} className={isSelected ? 'current' : ''}>
                {isSelectable && (
                  <td className="check-cell">
                    {box(text('Select {name}', { name: titleOf(type, document) }), isSelected, ({ shiftKey }) =>
                      select(index, shiftKey, !isSelected),
                    )}
                  </td>
                )}
                <td className="ellipsis title-cell">
                  {hasKeptChanges(placeOf(type, document)) && <span className="badge warn">{text('Unsaved')}</span>}{' '}
                  <DocumentLink type={type} document={document} className="row-title" />
                </td>
                {hasStates && (
                  <td className="state-cell">
                    {list.others === null ? (
                      <span className="muted">{text('Unknown')}</span>
                    ) : states.size > 0 ? (
                      <StateBadge state={states.get(key) ?? 'draft'} />
                    ) : (
                      <StatePlace />
                    )}
                  </td>
                )}
                {columns.map(([name, attribute]) => (
                  <td key={name} className={`ellipsis ${isNumber(attribute) ? 'right' : ''}`}>
                    <Cell column={[name, attribute]} value={Object.hasOwn(document, name) ? document[name] : null} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
