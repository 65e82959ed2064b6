/**
 * @module A box for text that reports what was typed after a pause, on Enter, and when the focus leaves it.
 */
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { PAUSE } from './use-delayed.ts';

interface DelayedInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onCommit: (value: string) => void;
}

export function DelayedInput({ value, onCommit, ...rest }: DelayedInputProps) {
  const [text, setText] = useState(value);
  const [committed, setCommitted] = useState(value);
  const timer = useRef<number>(undefined);
  if (committed !== value) {
    setCommitted(value);
    setText(value);
  }
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const commit = (next: string) => {
    window.clearTimeout(timer.current);
    if (next === value) return;
    setCommitted(next);
    onCommit(next);
  };
  const change = (next: string) => {
    setText(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => commit(next), PAUSE);
  };
  return (
    <input
      {...rest}
      value={text}
      onChange={(event) => change(event.target.value)}
      onBlur={() => commit(text)}
      onKeyDown={(event) => event.key === 'Enter' && commit(text)}
    />
  );
}
