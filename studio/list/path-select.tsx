/**
 * @module Chooses an attribute, through relations and components.
 */
import { isPolymorphic, labelOf } from '../model/attribute.ts';
import { readableAttributes, targetOf } from '../model/readable.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Select } from '../ui/inputs.tsx';

interface PathSelectProps {
  readonly uid: string;
  readonly path: readonly string[];
  readonly label: string;
  /** The choice that ends a path at a relation or a component. */
  readonly none: string;
  readonly onChange: (path: readonly string[]) => void;
}

/** Filters and sorts go through everything but dynamic zones and relations to many types. */
export function PathSelect({ uid, path, label, none, onChange }: PathSelectProps) {
  const model = useModel();
  const [name = '', ...rest] = path;
  const offered = readableAttributes(model, uid).filter(
    ([, attribute]) => attribute.type !== 'dynamiczone' && !isPolymorphic(attribute),
  );
  const attribute = offered.find(([key]) => key === name)?.[1];
  const inner = attribute && targetOf(model, attribute);
  const unknown = name !== '' && !attribute ? { [name]: text('{name} (unknown)', { name }) } : {};
  const options = { ...unknown, ...Object.fromEntries(offered.map(([key]) => [key, labelOf(key)])) };
  return (
    <>
      <Select
        label={label}
        value={name}
        options={options}
        none={none}
        onChange={(next) => onChange(next === '' ? [] : [next])}
      />
      {inner && (
        <PathSelect
          uid={inner}
          path={rest}
          label={text('{label} of {name}', { label, name: labelOf(name) })}
          none={none}
          onChange={(further) => onChange([name, ...further])}
        />
      )}
    </>
  );
}
