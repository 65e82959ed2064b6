/**
 * @module Inputs of JSON and Markdown: an editor that is loaded when it is first shown, a plain text area until then.
 */
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Group, useInput } from './frame.tsx';
import { Markdown } from './markdown.tsx';
import type { InputProps } from './owner.ts';
import { useText } from './scalar-inputs.tsx';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

export function JsonInput(props: InputProps) {
  const { value, setValue, frame, control } = useInput(props);
  const text = typeof value === 'string' ? value : '';
  const plain = <textarea aria-label={frame.label} value={text} onChange={(event) => setValue(event.target.value)} />;
  return (
    <Group frame={frame}>
      <Suspense fallback={plain}>
        <CodeEditor
          value={text}
          language="json"
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

export function MarkdownInput(props: InputProps) {
  const { value: held, setValue, frame, control } = useInput(props);
  const { value, setText } = useText(held, setValue);
  const [isPreview, setPreview] = useState(false);
  const toggle = (
    <Button look="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
      Preview
    </Button>
  );
  const plain = <textarea aria-label={frame.label} value={value} onChange={(event) => setText(event.target.value)} />;
  return (
    <Group frame={frame} aside={toggle}>
      {isPreview ? (
        <Markdown text={value} />
      ) : (
        <Suspense fallback={plain}>
          <CodeEditor
            value={value}
            language="markdown"
            label={frame.label}
            error={frame.error}
            isReadOnly={props.owner.isReadOnly === true}
            onChange={setText}
            onBlur={control.onBlur}
          />
        </Suspense>
      )}
    </Group>
  );
}
