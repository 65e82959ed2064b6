/**
 * @module Keys of a list: `/` searches, `n` makes a document, arrows and `j`/`k` go through the rows.
 */
import { type RefObject, useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), select, textarea, [role="dialog"]') !== null;

function moveRow(step: number): void {
  const titles = [...document.querySelectorAll<HTMLElement>('.row-title')];
  const index = titles.findIndex((title) => title.closest('tr')?.contains(document.activeElement));
  titles[Math.max(0, Math.min(titles.length - 1, index + step))]?.focus();
}

export function useListKeys(search: RefObject<HTMLInputElement | null>, onNew: (() => void) | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const act = {
        '/': () => search.current?.focus(),
        n: onNew,
        j: () => moveRow(1),
        k: () => moveRow(-1),
        ArrowDown: () => moveRow(1),
        ArrowUp: () => moveRow(-1),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [search, onNew]);
}
