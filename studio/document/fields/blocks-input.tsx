/**
 * @module The input of blocks; its editor is loaded when it is first shown.
 */
import { lazy, Suspense } from 'react';
import { Loading } from '../../ui/states.tsx';
import { Group, useInput } from './frame.tsx';
import type { InputProps } from './owner.ts';

const BlocksEditor = lazy(async () => ({ default: (await import('./blocks-editor.tsx')).BlocksEditor }));

export function BlocksInput(props: InputProps) {
  const { value, setValue, frame, control } = useInput(props);
  return (
    <Group frame={frame}>
      <Suspense fallback={<Loading />}>
        <BlocksEditor
          value={value}
          label={frame.label}
          error={frame.error}
          isReadOnly={props.owner.isReadOnly === true}
          onChange={setValue}
          onBlur={control.onBlur}
        />
      </Suspense>
    </Group>
  );
}
