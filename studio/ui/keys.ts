/**
 * @module Keys that work on a whole page.
 */
import { useEffect } from 'react';

const TYPING = 'input:not([type="checkbox"]), select, textarea, [contenteditable], .code-editor, [role="dialog"]';

/**
 * Calls actions by their key, such as `?`, `Ctrl+s` and `Alt+PageDown`; on a Mac, Command is Control. A key alone does
 * nothing while one types, and none does anything while a dialog is open. An action that returns false leaves the key
 * to the browser.
 * @param layer number of layers below the one that the keys are for: they do nothing while there is another number
 */
export function useKeys(keys: Readonly<Record<string, () => unknown>>, layer = 0): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const modifiers = `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}`;
      // Caps Lock makes capitals.
      const action = keys[modifiers + (modifiers !== '' && key.length === 1 ? key.toLowerCase() : key)];
      const isTyped = modifiers === '' && target instanceof Element && target.closest(TYPING);
      if (!action || isTyped || document.querySelectorAll('.layer').length !== layer) return;
      if (document.querySelector('.dialog') || action() !== false) event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
