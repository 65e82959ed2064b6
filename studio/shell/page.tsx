/**
 * @module The frame of a screen: its title, its actions, the requests it made, and the button for the keys of all screens.
 */
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useRouteError } from 'react-router';
import { type Exchange, useExchanges } from '../api/send.ts';
import { isPassword } from '../model/attribute.ts';
import type { Model } from '../model/model.ts';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { Popover } from '../ui/popover.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { useModel } from './model.ts';

const MOST_CHARACTERS = 10_000;

/** Returns the body as it is shown: without passwords, and not endless. */
function bodyText({ types, components }: Model, body: unknown): string {
  const isSecret = (name: string) =>
    [...types.values(), ...components.values()].some(({ attributes: { [name]: each } }) => each && isPassword(each));
  const shown = JSON.stringify(body, (name, value) => (isSecret(name) ? '…' : value), 2);
  return shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)} …` : shown;
}

function Line({ exchange }: { readonly exchange: Exchange }) {
  const model = useModel();
  const { method, address, status, milliseconds, cost, body } = exchange;
  return (
    <li>
      <div className="row">
        <strong className="mono">{method}</strong>
        <code className={status >= 400 || status === 0 ? 'danger' : ''}>{status || text('failed')}</code>
        <span className="muted">{milliseconds} ms</span>
        {method === 'GET' && address.startsWith('/api/') && (
          <Link to={`/explorer?request=${encodeURIComponent(address)}`}>{text('Explore')}</Link>
        )}
      </div>
      <pre className="muted">{address}</pre>
      {body !== undefined && <pre className="verbatim">{bodyText(model, body)}</pre>}
      {cost && <div className="muted">{cost}</div>}
    </li>
  );
}

export function Requests() {
  const exchanges = useExchanges();
  return (
    <Popover
      label={text('Requests of this page')}
      trigger={<IconButton icon="code" label={text('Requests of this page')} />}
    >
      <h2>{text('Requests')}</h2>
      <ol className="plain">
        {exchanges.map((exchange) => (
          <Line key={exchange.id} exchange={exchange} />
        ))}
      </ol>
    </Popover>
  );
}

const loadShortcuts = () => import('./shortcuts.tsx');
const Shortcuts = lazy(async () => ({ default: (await loadShortcuts()).Shortcuts }));

function ShortcutsButton() {
  const [isOpen, setOpen] = useState(false);
  useKeys({ '?': () => setOpen(true) });
  useEffect(() => void loadShortcuts().catch(() => {}), []);
  return (
    <>
      <IconButton
        icon="keyboard"
        label={text('Keyboard shortcuts')}
        className="of-keyboard"
        aria-keyshortcuts="?"
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <Shortcuts onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface PageProps {
  /** Also that of the browser's tab. */
  readonly title: string;
  /** Above the title: the way back. */
  readonly before?: ReactNode;
  /** Beside the title, such as a badge. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function PageLayout({ title, before, aside, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Studio`;
  }, [title]);
  useEffect(() => {
    // What led to this screen may be gone, and the focus with it.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main className="stack page">
      {before}
      <header className="row">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
        <div className={`row end ${actions ? 'page-actions' : ''}`}>
          {actions}
          <Requests />
          <ShortcutsButton />
        </div>
      </header>
      {children}
    </main>
  );
}

export const NotFound = () => (
  <PageLayout title={text('Not found')}>
    <Empty title={text('There is no such page')}>
      <Link to="/">{text('To the overview')}</Link>
    </Empty>
  </PageLayout>
);

export function RouteFailure() {
  return (
    <main className="stack page">
      <Failure error={useRouteError()} onRetry={() => window.location.reload()} />
    </main>
  );
}
