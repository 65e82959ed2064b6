/**
 * @module Ten writers at once on one exclusive relation: each version of a target ends up with one holder at most.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { oneIn } from '../../support/tier.ts';
import { openWorld } from '../../support/world.ts';

/** `held` has drafts, `plain` has none. */
const hub = (name: string, options: object) =>
  contentType(
    name,
    {
      name: { type: 'string' },
      only: relation('oneToOne', 'spoke', { inversedBy: `${name}Only` }),
      many: relation('oneToMany', 'spoke', { mappedBy: `${name}Many` }),
      alone: relation('oneToOne', 'spoke'),
      next: relation('oneToOne', name, { inversedBy: 'previous' }),
      previous: relation('oneToOne', name, { mappedBy: 'next' }),
    },
    options,
  );

const spoke = contentType(
  'spoke',
  {
    name: { type: 'string' },
    heldOnly: relation('oneToOne', 'held', { mappedBy: 'only' }),
    heldMany: relation('manyToOne', 'held', { inversedBy: 'many' }),
    plainOnly: relation('oneToOne', 'plain', { mappedBy: 'only' }),
    plainMany: relation('manyToOne', 'plain', { inversedBy: 'many' }),
  },
  { drafts: true },
);

const registry = registryOf([hub('held', { drafts: true }), hub('plain', {}), spoke]);

/** Isolates, which know nothing of one another. */
const clients = Array.from({ length: 3 }, () => clientOf(serveRegistry(registry), 'full'));
const client = (number: number) => clients[number % clients.length] as (typeof clients)[number];

openWorld(registry);

const WRITERS = 10;
const made = async (path: string) => (await documentOf(client(0).create(path, { name: path }))).documentId;

/** `fine` for a write that is done, and for one that lost too often and is told when to come back. */
async function written(response: Promise<Response>): Promise<string> {
  const { status, headers } = await response;
  return status === 200 || (status === 503 && headers.has('retry-after')) ? 'fine' : `${status}`;
}

describe.each(['helds', 'plains'])('ten writers of %s at once', (path) => {
  it.each(oneIn(3, ['only', 'many', 'alone', 'next', 'previous'], path.length))('on one target of %s', async (name) => {
    vi.spyOn(console, 'error').mockReturnValue();
    const isOwn = name === 'next' || name === 'previous';
    const target = await made(isOwn ? `/api/${path}` : '/api/spokes');
    const holders = await Promise.all(Array.from({ length: WRITERS }, () => made(`/api/${path}`)));
    const value = (number: number) =>
      [target, { connect: [target] }, { set: [target] }, { disconnect: [target] }, null][number % 5];
    for (const round of [0, 1]) {
      const outcomes = await Promise.all(
        holders.map((holder, number) => {
          const status = (number + round) % 3 === 0 ? '?status=draft' : '';
          return written(client(number).update(`/api/${path}/${holder}${status}`, { [name]: value(number + round) }));
        }),
      );
      expect(outcomes).toEqual(holders.map(() => 'fine'));
      expect(await checkInvariants(env.DB, registry)).toEqual([]);
    }
    await Promise.all(holders.slice(1).map((holder) => client(0).remove(`/api/${path}/${holder}`)));
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });
});
