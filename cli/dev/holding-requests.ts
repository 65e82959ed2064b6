/**
 * @module Holds requests back from before a save changes the tables until the version that fits them responds.
 */
import type { Gate } from './gate.ts';

/** Shuts a gate once no request is processed. @returns how to open it again */
function shut({ hold }: Pick<Gate, 'hold'>): Promise<() => void> {
  const drained = Promise.withResolvers<() => void>();
  const { promise, resolve } = Promise.withResolvers<void>();
  void hold(() => {
    drained.resolve(resolve);
    return promise;
  });
  return drained.promise;
}

/**
 * Wraps what prepares a build. A save while another one is built keeps the gate shut until its own version responds.
 * @param responds resolves when the version that was built last responds; wrangler answers nothing between
 */
export function holdingRequests(
  gate: Pick<Gate, 'hold' | 'isOpen'>,
  prepare: () => Promise<void>,
  responds: () => Promise<void>,
): () => Promise<void> {
  let builds = 0;
  let held: Promise<() => void> | undefined;
  return async () => {
    builds += 1;
    const build = builds;
    // Without requests there is nothing to hold back, and the demo content is planted behind the gate.
    if (gate.isOpen()) held ??= shut(gate);
    await held;
    await prepare();
    const release = async (): Promise<void> => {
      const open = await held;
      if (build !== builds || !open) return;
      held = undefined;
      open();
    };
    void responds().then(release, release);
  };
}
