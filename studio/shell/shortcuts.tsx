/**
 * @module The keys of all screens.
 */
import { type Text, text } from '../texts/text.ts';
import { Dialog } from '../ui/popups.tsx';

const SHORTCUTS: readonly (readonly [place: Text, ...(readonly (readonly [keys: Text, action: Text])[])])[] = [
  ['Everywhere', ['/', 'Search all content types']],
  [
    'Lists',
    ['f', 'Search'],
    ['n', 'New document'],
    ['j, k or arrows', 'Next and previous row'],
    ['Space', 'Select the row'],
  ],
  [
    'Documents',
    ['Ctrl+S', 'Save'],
    ['Ctrl+Enter', 'Publish'],
    ['Alt+PageDown, Alt+PageUp', 'Next and previous document of the list'],
    ['Ctrl+Alt+N', 'New document'],
  ],
  [
    'Blocks, as one types',
    ['# …', 'Heading'],
    ['- …', 'Bulleted list'],
    ['1. …', 'Numbered list'],
    ['> …', 'Quote'],
    ['``` and Enter', 'Code'],
    ['**…**, _…_, `…`', 'Bold, italic, code'],
  ],
  ['Order of entries, on their handle', ['Space', 'Take and drop'], ['Arrows', 'Move']],
  ['Explorer', ['Ctrl+Enter', 'Send']],
];

export const Shortcuts = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={text('Keyboard shortcuts')} isWide onClose={onClose}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
    <section className="columns" tabIndex={0} aria-label={text('Keyboard shortcuts')}>
      {SHORTCUTS.map(([place, ...shortcuts]) => (
        <section key={place} className="stack">
          <h3>{text(place)}</h3>
          <dl className="plain">
            {shortcuts.map(([keys, action]) => (
              <div key={keys} className="row">
                <dt className="grow">
                  <kbd>{text(keys)}</kbd>
                </dt>
                <dd className="grow">{text(action)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </section>
    <p className="muted">{text('On a Mac, Cmd works as Ctrl does.')}</p>
  </Dialog>
);
