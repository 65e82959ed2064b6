/**
 * @module The table of a list.
 */
import { useRef } from 'react';
import { readList } from '../api/query-string.ts';
import { StateBadge } from '../document/document-state.tsx';
import { labelOf } from '../model/attribute.ts';
import { titleOf } from '../model/model.ts';
import type { NamedAttribute } from '../model/readable.ts';
import { useModel } from '../shell/model-context.ts';
import { Icon } from '../ui/icon.tsx';
import { Cell, cut, DocumentTitle, isNumber } from './cell.tsx';
import { sortPathOf } from './columns.ts';
import { keyOf, type List } from './use-list.ts';

/** A click sorts up, the next one down, the third one not at all. */
function Header({ list, column: [name, attribute] }: { readonly list: List; readonly column: NamedAttribute }) {
  const path = sortPathOf(useModel(), name, attribute);
  const [sorted, direction] = readList(list.query.sort)[0]?.split(':') ?? [];
  const order = path === undefined || sorted !== path ? 'none' : direction === 'desc' ? 'descending' : 'ascending';
  const next = { none: path, ascending: `${path}:desc`, descending: undefined }[order];
  return (
    <th scope="col" aria-sort={path ? order : undefined} className={isNumber(attribute) ? 'right' : ''}>
      {path ? (
        <button type="button" className="sort" onClick={() => list.change({ sort: next })}>
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
  const last = useRef(0);
  const keys = documents.map(keyOf);
  const isAll = selection.size === keys.length;
  const title: NamedAttribute = [type.titleAttribute, type.attributes[type.titleAttribute] ?? { type: 'string' }];
  const select = (index: number, isRange: boolean, isOn: boolean) => {
    const from = isRange ? last.current : index;
    const range = keys.slice(Math.min(from, index), Math.max(from, index) + 1);
    last.current = index;
    list.select(new Set(isOn ? [...selection, ...range] : [...selection].filter((key) => !range.includes(key))));
  };
  return (
    <div className="table-frame">
      <table className="list">
        <thead>
          <tr>
            {isSelectable && (
              <th scope="col" className="check">
                <input
                  type="checkbox"
                  aria-label="Select all documents of this page"
                  checked={isAll}
                  onChange={() => list.select(new Set(isAll ? [] : keys))}
                />
              </th>
            )}
            <Header list={list} column={title} />
            {states.size > 0 && <th scope="col">Status</th>}
            {columns.map((column) => (
              <Header key={column[0]} list={list} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {documents.map((document, index) => {
            const key = keyOf(document);
            const isSelected = selection.has(key);
            return (
              <tr key={key} className={isSelected ? 'selected' : ''}>
                {isSelectable && (
                  <td className="check">
                    <input
                      type="checkbox"
                      aria-label={`Select ${cut(titleOf(type, document))}`}
                      checked={isSelected}
                      onChange={() => undefined}
                      onClick={(event) => select(index, event.shiftKey, !isSelected)}
                    />
                  </td>
                )}
                <td className="ellipsis title-cell">
                  <DocumentTitle type={type} document={document} className="row-title" />
                </td>
                {states.size > 0 && (
                  <td>
                    <StateBadge state={states.get(key) ?? 'draft'} />
                  </td>
                )}
                {columns.map(([name, attribute]) => (
                  <td key={name} className={`ellipsis ${isNumber(attribute) ? 'right' : ''}`}>
                    <Cell attribute={attribute} value={Object.hasOwn(document, name) ? document[name] : null} />
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
