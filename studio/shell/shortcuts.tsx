/**
 * @module The keys of all screens; `?` shows them.
 */
import { Fragment, useEffect, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

const SHORTCUTS: Readonly<Record<string, readonly (readonly [keys: string, action: string])[]>> = {
  Lists: [
    ['/', 'Search'],
    ['n', 'New document'],
    ['j, k or arrows', 'Next and previous row'],
  ],
  Documents: [
    ['Ctrl+S', 'Save'],
    ['Ctrl+Enter', 'Publish'],
    ['Alt+PageDown, Alt+PageUp', 'Next and previous document of the list'],
    ['Ctrl+Alt+N', 'New document'],
  ],
  'Order of entries, on their handle': [
    ['Space', 'Take and drop'],
    ['Arrows', 'Move'],
  ],
  Explorer: [['Ctrl+Enter', 'Send']],
};

const TYPING = 'input, select, textarea, [contenteditable], .code-editor, [role="dialog"]';

export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      if (key === '?' && target instanceof Element && !target.closest(TYPING)) setOpen(true);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <IconButton icon="keyboard" label="Keyboard shortcuts" aria-keyshortcuts="?" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setOpen(false)}>
          <div className="dialog-body stack">
            {Object.entries(SHORTCUTS).map(([place, shortcuts]) => (
              <section key={place}>
                <h3>{place}</h3>
                <dl className="shortcuts">
                  {shortcuts.map(([keys, action]) => (
                    <Fragment key={keys}>
                      <dt>
                        <kbd>{keys}</kbd>
                      </dt>
                      <dd>{action}</dd>
                    </Fragment>
                  ))}
                </dl>
              </section>
            ))}
            <p className="muted">On a Mac, Cmd works as Ctrl does.</p>
          </div>
        </Dialog>
      )}
    </>
  );
}
