/**
 * @module The table of a list.
 */
import { useRef } from 'react';
import { Link } from 'react-router';
import type { Query } from '../api/query-string.ts';
import { labelOf } from '../model/attribute.ts';
import { type ContentType, type Document, titleOf } from '../model/model.ts';
import type { NamedAttribute } from '../model/readable.ts';
import { mayDo } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { Icon } from '../ui/icon.tsx';
import { Cell, isNumber } from './cell.tsx';
import { sortPathOf } from './columns.ts';
import { keyOf, type State } from './list-query.ts';

const LOOKS: Readonly<Record<State, string>> = { draft: '', published: 'good', modified: 'warn' };

export const StateBadge = ({ state }: { readonly state: State | undefined }) =>
  state ? <span className={`badge ${LOOKS[state]}`}>{labelOf(state)}</span> : null;

interface HeaderProps {
  readonly name: string;
  readonly path: string | undefined;
  readonly isRight: boolean;
  /** `name`, or `name:desc` */
  readonly sort: string;
  readonly onSort: (sort: string | undefined) => void;
}

/** A click sorts up, the next one down, the third one not at all. */
function Header({ name, path, isRight, sort, onSort }: HeaderProps) {
  const [sorted, direction = 'asc'] = sort.split(':');
  const order = path === undefined || sorted !== path ? 'none' : direction === 'desc' ? 'descending' : 'ascending';
  const next = { none: path, ascending: `${path}:desc`, descending: undefined }[order];
  return (
    <th scope="col" aria-sort={path ? order : undefined} className={isRight ? 'right' : ''}>
      {path ? (
        <button type="button" className="sort" onClick={() => onSort(next)}>
          {labelOf(name)}
          {order !== 'none' && <Icon name={order === 'ascending' ? 'up' : 'down'} />}
        </button>
      ) : (
        labelOf(name)
      )}
    </th>
  );
}

interface TableProps {
  readonly type: ContentType;
  readonly columns: readonly NamedAttribute[];
  readonly documents: readonly Document[];
  readonly states: ReadonlyMap<string, State>;
  readonly query: Query;
  readonly onSort: (sort: string | undefined) => void;
  /** Undefined where nothing can be done with a selection. */
  readonly selection: ReadonlySet<string> | undefined;
  readonly onSelect: (selection: ReadonlySet<string>) => void;
}

/** Names such as `constructor` are attributes only where a document has them. */
const valueIn = (document: Document, name: string): unknown =>
  Object.hasOwn(document, name) ? document[name] : undefined;

export function Table({ type, columns, documents, states, query, onSort, selection, onSelect }: TableProps) {
  const model = useModel();
  const last = useRef(0);
  const keys = documents.map(keyOf);
  const mayOpen = mayDo(model, type, 'findOne') || mayDo(model, type, 'update');
  const sort = String(Array.isArray(query.sort) ? query.sort[0] : (query.sort ?? '')).split(',')[0] ?? '';
  const header = { sort, onSort };
  const select = (index: number, isRange: boolean, isOn: boolean) => {
    const [from, to] = isRange ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index];
    const next = new Set(selection);
    for (const key of keys.slice(from, to + 1)) isOn ? next.add(key) : next.delete(key);
    last.current = index;
    onSelect(next);
  };
  const isAll = documents.length > 0 && selection?.size === documents.length;
  return (
    <div className="table-frame">
      <table className="list">
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="check">
                <input
                  type="checkbox"
                  aria-label="Select all documents of this page"
                  checked={isAll}
                  onChange={() => onSelect(new Set(isAll ? [] : keys))}
                />
              </th>
            )}
            <Header name={type.titleAttribute} path={type.titleAttribute} isRight={false} {...header} />
            {states.size > 0 && <th scope="col">Status</th>}
            {columns.map(([name, attribute]) => (
              <Header
                key={name}
                name={name}
                path={sortPathOf(model, name, attribute)}
                isRight={isNumber(attribute)}
                {...header}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {documents.map((document, index) => {
            const key = keyOf(document);
            const title = titleOf(type, document);
            const locale = document.locale ? `?locale=${encodeURIComponent(document.locale)}` : '';
            return (
              <tr key={key} className={selection?.has(key) ? 'selected' : ''}>
                {selection && (
                  <td className="check">
                    <input
                      type="checkbox"
                      aria-label={`Select ${title}`}
                      checked={selection.has(key)}
                      onChange={() => {}}
                      onClick={(event) => select(index, event.shiftKey, !selection.has(key))}
                    />
                  </td>
                )}
                <td className="ellipsis title-cell">
                  {mayOpen ? (
                    <Link className="row-title" to={`/content/${type.segment}/${document.documentId}${locale}`}>
                      {title.slice(0, 200)}
                    </Link>
                  ) : (
                    title.slice(0, 200)
                  )}
                </td>
                {states.size > 0 && (
                  <td>
                    <StateBadge state={states.get(key)} />
                  </td>
                )}
                {columns.map(([name, attribute]) => (
                  <td key={name} className={`ellipsis ${isNumber(attribute) ? 'right' : ''}`}>
                    <Cell attribute={attribute} value={valueIn(document, name)} />
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
