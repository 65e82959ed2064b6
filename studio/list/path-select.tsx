/**
 * @module Chooses an attribute, through relations and components.
 */
import { type Attribute, isPolymorphic, labelOf } from '../model/attribute.ts';
import { readableAttributes, targetOf } from '../model/readable.ts';
import { useModel } from '../shell/model-context.ts';

interface PathSelectProps {
  readonly uid: string;
  readonly path: readonly string[];
  readonly label: string;
  /** Which attributes are offered; a list goes through those that lead on. */
  readonly accepts: (attribute: Attribute) => boolean;
  /** The choice that ends the path at a relation or a component; without it one has to go on. */
  readonly here?: string;
  readonly onChange: (path: readonly string[]) => void;
}

/** Filters and sorts go through everything but dynamic zones and relations to many types. */
export const isPassable = (attribute: Attribute): boolean =>
  attribute.type !== 'dynamiczone' && !isPolymorphic(attribute);

export function PathSelect({ uid, path, label, accepts, here, onChange }: PathSelectProps) {
  const model = useModel();
  const [name = '', ...rest] = path;
  const offered = readableAttributes(model, uid).filter(([, attribute]) => accepts(attribute));
  const isUnknown = name !== '' && !offered.some(([key]) => key === name);
  const attribute = offered.find(([key]) => key === name)?.[1];
  const inner = attribute && targetOf(model, attribute);
  return (
    <>
      <select
        aria-label={label}
        value={name}
        onChange={(event) => onChange(event.target.value ? [event.target.value] : [])}
      >
        {(here !== undefined || name === '') && <option value="">{here ?? 'Choose …'}</option>}
        {isUnknown && <option value={name}>{name} (unknown)</option>}
        {offered.map(([key, { type }]) => (
          <option key={key} value={key} title={type}>
            {labelOf(key)}
          </option>
        ))}
      </select>
      {inner && (
        <PathSelect
          uid={inner}
          path={rest}
          label={`${label} of ${labelOf(name)}`}
          accepts={accepts}
          {...(here !== undefined && { here })}
          onChange={(further) => onChange([name, ...further])}
        />
      )}
    </>
  );
}
