/**
 * @module Keys of a list: `/` searches, `n` makes a document, arrows and `j`/`k` go through the rows.
 */
import { type RefObject, useEffect } from 'react';

const TYPING = 'input:not([type="checkbox"]), select, textarea, [role="dialog"]';

function moveRow(step: number): void {
  const titles = [...document.querySelectorAll<HTMLElement>('.row-title')];
  const index = titles.findIndex((title) => title.closest('tr')?.contains(document.activeElement));
  titles[Math.max(0, Math.min(titles.length - 1, index + step))]?.focus();
}

export function useListKeys(search: RefObject<HTMLInputElement | null>, startNew: () => unknown): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest(TYPING);
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      if (event.key === '/') search.current?.focus();
      else if (event.key === 'n') startNew();
      else if (event.key === 'j' || event.key === 'ArrowDown') moveRow(1);
      else if (event.key === 'k' || event.key === 'ArrowUp') moveRow(-1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [search, startNew]);
}
