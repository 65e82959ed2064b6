/**
 * @module Keys of a list: `/` searches, `n` makes a document, arrows and `j`/`k` go through the rows.
 */
import { type RefObject, useEffect } from 'react';

const TYPING = 'input:not([type="checkbox"]), select, textarea, [role="dialog"]';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** Arrows scroll the page until a row has the focus. */
function moveRow(key: string): boolean {
  const titles = [...document.querySelectorAll<HTMLElement>('.row-title')];
  const index = titles.findIndex((title) => title.closest('tr')?.contains(document.activeElement));
  const step = STEPS[key];
  if (step === undefined || (index < 0 && key.startsWith('Arrow'))) return false;
  titles[Math.max(0, Math.min(titles.length - 1, index + step))]?.focus();
  return true;
}

export function useListKeys(search: RefObject<HTMLInputElement | null>, startNew: () => unknown): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest(TYPING);
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      if (event.key === '/') search.current?.focus();
      else if (event.key === 'n') startNew();
      else if (!moveRow(event.key)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [search, startNew]);
}
