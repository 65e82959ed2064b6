/**
 * @module Inputs whose editor is loaded when one is first shown: JSON, Markdown and blocks.
 */
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';
import type { InputProps } from './owner.ts';
import { useInput, useText } from './use-input.ts';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));
const BlocksEditor = lazy(async () => ({ default: (await import('./blocks-editor.tsx')).BlocksEditor }));

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

type Input = Pick<ReturnType<typeof useInput>, 'field' | 'control'>;

const editorOf = ({ owner }: InputProps, { field: { label, error }, control: { onBlur } }: Input) => ({
  label,
  error,
  onBlur,
  isReadOnly: owner.isReadOnly === true,
});

export function BlocksInput(props: InputProps) {
  const input = useInput(props);
  return (
    <Field {...input.field} isGroup>
      <Suspense fallback={<Loading />}>
        <BlocksEditor value={input.value} onChange={input.setValue} {...editorOf(props, input)} />
      </Suspense>
    </Field>
  );
}

export function CodeInput(props: InputProps) {
  const { value, setText, ...input } = useText(props);
  const [isPreview, setPreview] = useState(false);
  const isJson = props.attribute.type === 'json';
  const toggle = (
    <Button look="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
      Preview
    </Button>
  );
  return (
    <Field {...input.field} isGroup aside={!isJson && toggle}>
      <Suspense fallback={<Loading />}>
        {isPreview ? (
          <Markdown text={value} />
        ) : (
          <CodeEditor value={value} isJson={isJson} onChange={setText} {...editorOf(props, input)} />
        )}
      </Suspense>
    </Field>
  );
}
