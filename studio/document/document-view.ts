/**
 * @module What the address of a document says besides its place: the tab, and what is beside the form.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { type NavigateOptions, useNavigationType, useSearchParams } from 'react-router';
import { useWhileHere } from '../ui/late.ts';
import type { Place } from './place.ts';

/** `history` names a former version, too: its address is `?history=<revision>`. */
export type DocumentTab = 'edit' | 'compare' | 'history';

/** Parameters of the address; null removes one. */
type Changes = Readonly<Partial<Record<'compare' | 'history' | 'page' | 'beside', string | null>>>;

/** Whether the page was shown last: it stays so from one document to the next. */
let isPageKept = false;

interface ViewOptions {
  readonly place: Place;
  /** Has the document a page that can be shown? */
  readonly hasPage: boolean;
}

export function useDocumentView({ place, hasPage }: ViewOptions) {
  const [search, setSearch] = useSearchParams();
  const isRevisited = useNavigationType() === 'POP';
  const isPageShown = hasPage && search.has('page');
  const tab: DocumentTab = search.has('history') ? 'history' : search.has('compare') ? 'compare' : 'edit';

  /** Two changes may come before the page is drawn again. */
  const latest = useRef(search);
  latest.current = search;
  function change(changes: Changes, options: NavigateOptions): void {
    const next = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name);
      else next.set(name, value);
    latest.current = next;
    setSearch(next, options);
  }

  // An address that one comes back to, or was sent, shows what it says.
  const carryPage = useEffectEvent(
    () => isPageKept && !isPageShown && !isRevisited && change({ page: '' }, { replace: true }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies(place): each document begins so
  useEffect(() => void (hasPage && carryPage()), [hasPage, place]);
  useEffect(() => {
    if (hasPage) isPageKept = isPageShown;
  }, [hasPage, isPageShown]);

  /** The former version that was shown last. */
  const revision = useRef('');
  revision.current = search.get('history') ?? revision.current;
  const open = useWhileHere((next: DocumentTab) => {
    if (next === tab) return;
    const opened = { compare: { compare: '' }, history: { history: revision.current }, edit: {} }[next];
    change({ compare: null, history: null, ...opened }, { flushSync: true });
  });
  return {
    tab,
    open,
    /** Takes a tab that the document does not have out of the address. */
    dropTab: () => change({ compare: null, history: null }, { replace: true }),
    isPageShown,
    showPage: (isShown: boolean) => change({ page: isShown ? '' : null }, {}),
    /** Code of a locale, or ''. */
    besideLocale: search.get('beside') ?? '',
    showBeside: (code: string) => change({ beside: code || null }, {}),
  };
}
