/**
 * @module What a screen shows while it has no content: it loads, it failed, or there is nothing.
 */
import type { ReactNode } from 'react';
import { ApiError } from '../api/send.ts';
import { type Text, text } from '../texts/text.ts';
import { Button } from './button.tsx';

export const Loading = ({ label = text('Loading') }: { readonly label?: string }) => (
  <p className="padded muted" role="status">
    {label} …
  </p>
);

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="stack card empty">
    <h2>{title}</h2>
    {children}
  </div>
);

interface NoticeProps {
  readonly children: ReactNode;
  /** Name of the button that does something about it. */
  readonly action?: string;
  readonly onAct?: () => void;
}

export const Notice = ({ children, action, onAct }: NoticeProps) => (
  <p className="notice" role="status">
    {children} {action && <Button label={action} look="quiet" onClick={onAct} />}
  </p>
);

/** Advice by the status of a response. */
const ADVICE: Readonly<Record<number, Text>> = {
  0: 'Check that the server is running and that you are online.',
  401: 'Sign in again.',
  403: 'Your role or token does not have the right to this. Who runs the server grants it in edgewise.config.ts.',
  404: 'It was deleted, or you may not see it.',
  412: 'It was changed meanwhile. Read it again.',
  429: 'Too many requests. Wait a minute.',
};

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  const advice = ADVICE[error instanceof ApiError ? error.status : -1];
  return (
    <div className="stack card failure" role="alert">
      <strong>{error instanceof Error ? error.message : String(error)}</strong>
      {advice && <p>{text(advice)}</p>}
      {onRetry && <Button label={text('Try again')} onClick={onRetry} />}
    </div>
  );
}

interface ResultProps<T> {
  readonly of: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (data: T) => ReactNode;
}

/** What a request has brought; until then that it loads, or why it failed. What is there stays where a later one fails. */
export function Result<T>({ of: { data, error, refetch }, children }: ResultProps<T>) {
  return (
    <>
      {error ? <Failure error={error} onRetry={() => refetch()} /> : data === undefined && <Loading />}
      {data !== undefined && children(data)}
    </>
  );
}
