/**
 * @module The frame of a screen: its title, its actions, and the requests it made.
 */
import type { ReactNode } from 'react';
import { Requests } from './requests.tsx';

interface PageProps {
  readonly title: ReactNode;
  /** Beside the title, such as a badge. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, aside, actions, children }: PageProps) {
  return (
    <main className="page">
      <header className="page-header">
        <h1>{title}</h1>
        {aside}
        <div className="page-actions">
          {actions}
          <Requests />
        </div>
      </header>
      {children}
    </main>
  );
}
