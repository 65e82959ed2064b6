/**
 * @module Requests wait from before a save changes the tables until the version that fits them responds.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { holdingRequests } from '../../../../cli/dev/holding-requests.ts';

let order: string[];
let open: boolean;
/** Resolve when the version of a build responds, in the order of the builds. */
let served: (() => void)[];
let held: Promise<unknown>;
const gate = {
  isOpen: () => open,
  hold<T>(work: () => Promise<T>): Promise<T> {
    const result = held.then(() => {
      order.push('shut');
      return work();
    });
    held = result.then(() => order.push('open'));
    return result;
  },
};
const follow = () =>
  holdingRequests(
    gate,
    async () => void order.push('push'),
    () => new Promise((resolve) => served.push(resolve)),
  );
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

beforeEach(() => {
  order = [];
  open = true;
  served = [];
  held = Promise.resolve();
});

describe('a save', () => {
  it('shuts the gate before the tables change, and opens it once the new version responds', async () => {
    await follow()();
    await soon();
    expect(order).toEqual(['shut', 'push']);
    served[0]?.();
    await soon();
    expect(order).toEqual(['shut', 'push', 'open']);
  });

  it('keeps it shut for another save, until the version of that one responds', async () => {
    const build = follow();
    await Promise.all([build(), build()]);
    served[0]?.();
    await soon();
    expect(order).toEqual(['shut', 'push', 'push']);
    served[1]?.();
    await soon();
    expect(order).toEqual(['shut', 'push', 'push', 'open']);
    await build();
    expect(order.slice(4)).toEqual(['shut', 'push']);
  });

  it('holds nothing back before the gate is open, since the demo content is planted then', async () => {
    open = false;
    await follow()();
    expect(order).toEqual(['push']);
  });
});
