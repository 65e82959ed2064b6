/**
 * @module What Next gives `client/next.ts`: `next/headers` and `next/cache` of the unit tests. The builds of sites have the real ones.
 */
import { expect } from 'vitest';

/** What a browser and the cache have. */
export const next = { isDraft: false, token: undefined as string | undefined, revalidated: [] as unknown[][] };

export function resetNext(): void {
  Object.assign(next, { isDraft: false, token: undefined, revalidated: [] });
}

export const cookies = async () => ({
  get: (name: string) => (name === 'preview' && next.token !== undefined ? { value: next.token } : undefined),
  set(name: string, value: string, options: object) {
    expect([name, options]).toEqual(['preview', expect.objectContaining({ httpOnly: true, secure: true })]);
    next.token = value;
  },
});

export const draftMode = async () => ({
  isEnabled: next.isDraft,
  enable() {
    next.isDraft = true;
  },
  disable() {
    next.isDraft = false;
  },
});

export const revalidateTag = (...call: unknown[]) => void next.revalidated.push(call);
