/**
 * @module The controls of one level of a request: fields, populate, and where there are many, filters and sort.
 */
import type { ReactNode } from 'react';
import { type Query, textList } from '../api/query-string.ts';
import { FilterBuilder } from '../list/filter-builder.tsx';
import { readFilters } from '../list/filters.ts';
import { PathSelect } from '../list/path-select.tsx';
import { type Attribute, isPolymorphic, isPopulated, isToMany, labelOf } from '../model/attribute.ts';
import type { Model } from '../model/model.ts';
import { readableAttributes, targetOf } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Check, Checks, DelayedInput } from '../ui/inputs.tsx';
import { depthsOf, readPopulate, withBranch, writePopulate } from './request-state.ts';

interface SectionProps {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

export const Section = ({ title, count, children }: SectionProps) => (
  <details>
    <summary>
      {title} {count > 0 && <span className="badge accent">{count}</span>}
    </summary>
    {children}
  </details>
);

/** What a branch of `populate` leads to. `isSliced`: does it take `limit`, `start` and `withCount`? */
const branchOf = (model: Model, name: string, attribute: Attribute) => ({
  name,
  label: labelOf(name),
  uid: targetOf(model, attribute),
  isMany: attribute.type === 'relation' && isToMany(attribute),
  isSliced: model.slicesLists && (isToMany(attribute) || attribute.multiple === true),
  /** Components of a zone, and types of a polymorphic relation: the branches of `on`. */
  alternatives: isPolymorphic(attribute) ? [...model.types.keys()] : (attribute.components ?? []),
});

type Branch = ReturnType<typeof branchOf>;

const alternativeOf = ({ types, components }: Model, uid: string): Branch => ({
  name: uid,
  label: types.get(uid)?.name ?? components.get(uid)?.name ?? uid,
  uid,
  isMany: types.has(uid),
  isSliced: false,
  alternatives: [],
});

interface SliceProps {
  readonly query: Query;
  readonly onChange: (patch: Query) => void;
}

/** The part of a list that a response shows, and whether it counts all. */
const Slice = ({ query, onChange }: SliceProps) => (
  <>
    {['start', 'limit'].map((name) => (
      <div key={name} className="row nowrap">
        <code>{name}</code>
        <DelayedInput
          label={name}
          value={String(query[name] ?? '')}
          onCommit={(typed) => onChange({ [name]: typed === '' ? undefined : typed })}
        />
      </div>
    ))}
    <Check
      label={text('with count')}
      isOn={String(query.withCount) === 'true'}
      onChange={(isOn) => onChange({ withCount: isOn || undefined })}
    />
  </>
);

interface BranchesProps {
  readonly branches: readonly Branch[];
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Branches({ branches, value, onChange }: BranchesProps) {
  const model = useModel();
  const tree = readPopulate(value);
  return branches.map(({ name, label, uid, isMany, isSliced, alternatives }) => {
    const query = Object.hasOwn(tree, name) ? tree[name] : undefined;
    const others = Object.fromEntries(Object.entries(tree).filter(([key]) => key !== name));
    const set = (inner: Query) => onChange(writePopulate(withBranch(tree, name, inner)));
    const change = (patch: Query) => set({ ...query, ...patch });
    return (
      <div key={name}>
        <Check
          label={label}
          isOn={query !== undefined}
          onChange={(isOn) => (isOn ? set({}) : onChange(writePopulate(others)))}
        />
        {query && (
          <div className="indented">
            {uid && <Level uid={uid} isMany={isMany} query={query} onChange={change} />}
            {isSliced && <Slice query={query} onChange={change} />}
            {isMany && (
              <Check
                label={text('Only their number')}
                isOn={String(query.count) === 'true'}
                onChange={(isOn) => set(isOn ? { count: true } : {})}
              />
            )}
            <Branches
              branches={alternatives.map((alternative) => alternativeOf(model, alternative))}
              value={query.on}
              onChange={(on) => change({ on })}
            />
          </div>
        )}
      </div>
    );
  });
}

interface SortProps {
  readonly uid: string;
  readonly entries: readonly string[];
  readonly onChange: (entries: readonly string[]) => void;
}

function Sort({ uid, entries, onChange }: SortProps) {
  return [...entries, ''].map((entry, index) => {
    const [path = '', direction = 'asc'] = entry.split(':');
    const put = (...next: readonly string[]) => onChange(entries.toSpliced(index, 1, ...next));
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place, and keeps the focus when its path changes
      <div key={index} className="row">
        <PathSelect
          uid={uid}
          path={path === '' ? [] : path.split('.')}
          label={text('Sort {place}', { place: index + 1 })}
          none={text('not sorted')}
          onChange={(next) => put(...(next.length > 0 ? [`${next.join('.')}:${direction}`] : []))}
        />
        {path && <Button label={direction} onClick={() => put(`${path}:${direction === 'desc' ? 'asc' : 'desc'}`)} />}
      </div>
    );
  });
}

interface LevelProps {
  readonly uid: string;
  readonly isMany: boolean;
  /** Is it that of the documents of a content type? */
  readonly isTop?: boolean;
  readonly query: Query;
  /** Undefined removes a parameter. */
  readonly onChange: (patch: Query) => void;
}

export const given = (names: readonly string[]) => (names.length > 0 ? names : undefined);

export function Level({ uid, isMany, isTop = false, query, onChange }: LevelProps) {
  const model = useModel();
  const plain = { uid: undefined, isMany: false, isSliced: false, alternatives: [] };
  const everything = { ...plain, name: '*', label: text('Everything, one level (*)') };
  const named = [...(model.types.get(uid)?.presets ?? []), ...(isTop ? depthsOf(model) : [])];
  const presets = named.map((name) => ({ ...plain, name, label: name }));
  const attributes = readableAttributes(model, uid);
  const populated = attributes.filter(([, attribute]) => isPopulated(attribute));
  const fields = textList(query.fields);
  const sort = textList(query.sort);
  return (
    <>
      <Section title={text('Fields')} count={fields.length}>
        <Checks
          names={attributes.filter(([, attribute]) => !isPopulated(attribute)).map(([name]) => name)}
          chosen={fields}
          onChange={(names) => onChange({ fields: given(names) })}
        />
      </Section>
      {populated.length > 0 && (
        <Section title="Populate" count={Object.keys(readPopulate(query.populate)).length}>
          <Branches
            branches={[
              everything,
              ...presets,
              ...populated.map(([name, attribute]) => branchOf(model, name, attribute)),
            ]}
            value={query.populate}
            onChange={(populate) => onChange({ populate })}
          />
        </Section>
      )}
      {isMany && (
        <>
          <Section title={text('Filters')} count={readFilters(query.filters).parts.length}>
            <FilterBuilder uid={uid} filters={query.filters} onChange={(filters) => onChange({ filters })} />
          </Section>
          <Section title={text('Sort')} count={sort.length}>
            <Sort uid={uid} entries={sort} onChange={(entries) => onChange({ sort: given(entries) })} />
          </Section>
        </>
      )}
    </>
  );
}
