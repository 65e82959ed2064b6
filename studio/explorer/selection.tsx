/**
 * @module The controls of one level of a request: fields, populate, and where there are many, filters and sort.
 */
import type { ReactNode } from 'react';
import type { Query } from '../api/query-string.ts';
import { FilterBuilder } from '../list/filter-builder.tsx';
import { readFilters } from '../list/filters.ts';
import { isPassable, PathSelect } from '../list/path-select.tsx';
import { type Attribute, isPolymorphic, isPopulated, isToMany, labelOf } from '../model/attribute.ts';
import { readableAttributes, targetOf } from '../model/readable.ts';
import { useModel } from '../shell/model-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { readList, readPopulate, writePopulate } from './request-state.ts';

interface LevelProps {
  readonly uid: string;
  readonly query: Query;
  /** Undefined removes a parameter. */
  readonly onChange: (patch: Query) => void;
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const Check = ({ label, isOn, onChange }: CheckProps) => (
  <label className="check-label">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);

interface SectionProps {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

const Section = ({ title, count, children }: SectionProps) => (
  <details className="section">
    <summary>
      {title} {count > 0 && <span className="badge accent">{count}</span>}
    </summary>
    {children}
  </details>
);

function Fields({ uid, query, onChange }: LevelProps) {
  const chosen = readList(query.fields);
  const names = readableAttributes(useModel(), uid).filter(([, attribute]) => !isPopulated(attribute));
  const toggle = (name: string, isOn: boolean) => {
    const fields = isOn ? [...chosen, name] : chosen.filter((other) => other !== name);
    onChange({ fields: fields.length > 0 ? fields : undefined });
  };
  return (
    <Section title="Fields" count={chosen.length}>
      {names.map(([name]) => (
        <Check key={name} label={labelOf(name)} isOn={chosen.includes(name)} onChange={(isOn) => toggle(name, isOn)} />
      ))}
    </Section>
  );
}

function Sort({ uid, query, onChange }: LevelProps) {
  const entries = readList(query.sort);
  const set = (sort: readonly string[]) => onChange({ sort: sort.length > 0 ? sort : undefined });
  return (
    <Section title="Sort" count={entries.length}>
      {[...entries, ''].map((entry, index) => {
        const [path = '', direction = 'asc'] = entry.split(':');
        const put = (next: readonly string[], way: string) =>
          set(next.length > 0 ? entries.toSpliced(index, 1, `${next.join('.')}:${way}`) : entries.toSpliced(index, 1));
        return (
          <div key={`${index}`} className="sort-entry">
            <PathSelect
              uid={uid}
              path={path === '' ? [] : path.split('.')}
              label={`Sort ${index + 1}`}
              accepts={isPassable}
              onChange={(next) => put(next, direction)}
            />
            {path && (
              <>
                <Button onClick={() => put(path.split('.'), direction === 'desc' ? 'asc' : 'desc')}>{direction}</Button>
                <IconButton icon="close" label={`Remove sort ${index + 1}`} onClick={() => put([], direction)} />
              </>
            )}
          </div>
        );
      })}
    </Section>
  );
}

/** Components of a zone and types of a polymorphic relation are selected by `on`. */
function Alternatives({ uids, query, onChange }: { readonly uids: readonly string[] } & Omit<LevelProps, 'uid'>) {
  const { types, components } = useModel();
  const on = readPopulate(query.on);
  const set = (uid: string, inner: Query | undefined) => {
    const { [uid]: _, ...others } = on;
    onChange({ on: writePopulate(inner ? { ...others, [uid]: inner } : others) });
  };
  return uids.map((uid) => (
    <Branch
      key={uid}
      label={types.get(uid)?.name ?? components.get(uid)?.name ?? uid}
      uid={uid}
      isMany={types.has(uid)}
      query={on[uid]}
      onChange={(inner) => set(uid, inner)}
    />
  ));
}

interface BranchProps {
  readonly label: string;
  readonly uid: string | undefined;
  readonly isMany: boolean;
  /** Undefined: not populated. */
  readonly query: Query | undefined;
  readonly alternatives?: readonly string[];
  readonly onChange: (query: Query | undefined) => void;
}

function Branch({ label, uid, isMany, query, alternatives = [], onChange }: BranchProps) {
  const change = (patch: Query) => onChange({ ...query, ...patch });
  return (
    <div>
      <Check label={label} isOn={query !== undefined} onChange={(isOn) => onChange(isOn ? {} : undefined)} />
      {query && (
        <div className="level">
          {uid && <Level uid={uid} isMany={isMany} query={query} onChange={change} />}
          {isMany && (
            <Check
              label="Only their number"
              isOn={String(query.count) === 'true'}
              onChange={(isOn) => onChange(isOn ? { count: true } : {})}
            />
          )}
          {alternatives.length > 0 && <Alternatives uids={alternatives} query={query} onChange={change} />}
        </div>
      )}
    </div>
  );
}

function Populate({ uid, query, onChange }: LevelProps) {
  const model = useModel();
  const tree = readPopulate(query.populate);
  const names = readableAttributes(model, uid).filter(([, attribute]) => isPopulated(attribute));
  if (names.length === 0) return null;
  const set = (name: string, inner: Query | undefined) => {
    const { [name]: _, ...others } = tree;
    onChange({ populate: writePopulate(inner ? { ...others, [name]: inner } : others) });
  };
  const alternativesOf = (attribute: Attribute) =>
    isPolymorphic(attribute) ? [...model.types.keys()] : (attribute.components ?? []);
  return (
    <Section title="Populate" count={Object.keys(tree).length}>
      <Check
        label="Everything, one level (*)"
        isOn={Object.hasOwn(tree, '*')}
        onChange={(isOn) => onChange({ populate: isOn ? '*' : undefined })}
      />
      {names.map(([name, attribute]) => (
        <Branch
          key={name}
          label={labelOf(name)}
          uid={targetOf(model, attribute)}
          isMany={attribute.type === 'relation' && isToMany(attribute)}
          query={Object.hasOwn(tree, name) ? tree[name] : undefined}
          alternatives={alternativesOf(attribute)}
          onChange={(inner) => set(name, inner)}
        />
      ))}
    </Section>
  );
}

export function Level({ uid, isMany, query, onChange }: LevelProps & { readonly isMany: boolean }) {
  const level = { uid, query, onChange };
  return (
    <>
      <Fields {...level} />
      <Populate {...level} />
      {isMany && (
        <>
          <Section title="Filters" count={readFilters(query.filters).parts.length}>
            <FilterBuilder uid={uid} filters={query.filters} onChange={(filters) => onChange({ filters })} />
          </Section>
          <Sort {...level} />
        </>
      )}
    </>
  );
}
