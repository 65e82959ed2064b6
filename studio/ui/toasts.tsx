/**
 * @module Short messages about what was done. Their code is loaded once the page is there.
 */
import { lazy, Suspense } from 'react';
import { createStore } from '../api/session.ts';
import { text } from '../texts/text.ts';

const loadList = () => import('./toast-list.tsx');

async function openList() {
  const { isThere, toasts } = await loadList();
  await isThere;
  return toasts;
}

/** Says what was done. */
export async function notify(title: string): Promise<void> {
  (await openList()).add({ title, type: 'done' });
}

/** Says what failed, and why. */
export async function notifyError(title: string, error: unknown): Promise<void> {
  const description = error instanceof Error ? error.message : String(error);
  (await openList()).add({ title, description, type: 'error', priority: 'high', timeout: 12_000 });
}

/** What the browser did not copy: the user copies it. */
export const uncopied = createStore<string | null>(null);

const ToastList = lazy(async () => ({ default: (await loadList()).ToastList }));

export const Toasts = () => (
  <Suspense>
    <ToastList />
  </Suspense>
);

/** @param done says what was copied */
export async function copyText(copied: string, done = text('Copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(copied);
    notify(done);
  } catch {
    await openList();
    uncopied.set(copied);
  }
}
