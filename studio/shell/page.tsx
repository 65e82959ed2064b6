/**
 * @module The frame of a screen: its title, its actions, and the requests it made.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { Requests } from './requests.tsx';
import { Shortcuts } from './shortcuts.tsx';

interface PageProps {
  /** Also that of the browser's tab. */
  readonly title: string;
  /** Beside the title, such as a badge. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, aside, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
  useEffect(() => {
    // What led to this screen may be gone, and the focus with it.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main className="page">
      <header className="row page-header">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
        <div className="row page-actions">
          {actions}
          <Requests />
          <Shortcuts />
        </div>
      </header>
      {children}
    </main>
  );
}
