/**
 * @module The input of a uid: while the document is new it follows the attribute that it is made from.
 */
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { labelOf } from '../../model/attribute.ts';
import { Button } from '../../ui/button.tsx';
import { Control, useInput } from './frame.tsx';
import { fieldName, type InputProps } from './owner.ts';
import { useText } from './scalar-inputs.tsx';
import { slugOf } from './slug.ts';

export function UidInput(props: InputProps) {
  const { path, attribute, owner } = props;
  const { value: held, setValue, frame, control } = useInput(props);
  const { value, setText } = useText(held, setValue);
  const target = attribute.targetField;
  const source = useWatch({ name: path.replace(/[^.]*$/, fieldName(target ?? '')), disabled: target === undefined });
  const slug = slugOf(typeof source === 'string' ? source : '').slice(0, attribute.maxLength);
  const made = useRef('');
  const follows = owner.documentId === undefined && !owner.isReadOnly && value === made.current && slug !== value;
  useEffect(() => {
    if (!follows) return;
    made.current = slug;
    setText(slug);
  });
  return (
    <Control frame={frame}>
      <div className="joined">
        <input {...control} value={value} autoComplete="off" onChange={(event) => setText(event.target.value)} />
        {target && (
          <Button disabled={slug === '' || slug === value} onClick={() => setText(slug)}>
            From {labelOf(target).toLowerCase()}
          </Button>
        )}
      </div>
    </Control>
  );
}
