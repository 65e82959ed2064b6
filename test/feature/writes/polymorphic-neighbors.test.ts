/**
 * @module Changes of polymorphic lists give the same order whether the write reads all links or the neighbors only.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openWorld } from '../../support/world.ts';

const DOCUMENTS_OF_A_TYPE = 4;
const WRITES = samplesOf(20, 0.3);

/** Of a required relation a write reads all links. */
const lists = {
  some: { type: 'relation', relation: 'morphToMany' },
  all: { type: 'relation', relation: 'morphToMany', required: true },
};
const registry = registryOf([
  contentType('plain', lists),
  contentType('story', lists, { drafts: true, plural: 'stories' }),
  contentType('page', lists, { drafts: true, localized: true }),
  contentType('tag', { name: { type: 'string' } }),
]);
const { client } = openWorld(registry);
const targets: { readonly __type: string; readonly documentId: string }[] = [];

beforeAll(async () => {
  for (const [name, route] of [
    ['tag', 'tags'],
    ['story', 'stories'],
    ['page', 'pages'],
  ])
    for (let index = 0; index < DOCUMENTS_OF_A_TYPE; index += 1) {
      const first = targets[0] ? { some: [targets[0]], all: [targets[0]] } : {};
      const { documentId } = await documentOf(client.create(`/api/${route}`, name === 'tag' ? {} : first));
      targets.push({ __type: `api::${name}.${name}`, documentId });
    }
});

const one = (dice: Dice) => dice.pick(targets as [(typeof targets)[0], ...typeof targets]);

function positionOf(dice: Dice): object {
  const { documentId, __type } = one(dice);
  const at = dice.pick(['start', 'end', 'before', 'after']);
  return at === 'start' || at === 'end' ? { [at]: true } : { [at]: documentId, __type };
}

const some = (dice: Dice, max: number) => Array.from({ length: dice.below(max) + 1 }, () => one(dice));

function changeOf(dice: Dice): object {
  const connect = [...new Set(some(dice, 3))].map((each) =>
    dice.once(3) ? each : { ...each, position: positionOf(dice) },
  );
  const disconnect = dice.once(2) ? some(dice, 2) : [];
  return { connect, disconnect, options: { strict: false } };
}

it.each(['plains', 'stories', 'pages'])('of %s', async (route) => {
  const dice = diceOf(seedOf(`polymorphic neighbors of ${route}`));
  const { documentId } = await documentOf(client.create(`/api/${route}`, { some: targets, all: targets }));
  for (let write = 0; write < WRITES; write += 1) {
    const change = changeOf(dice);
    const { status } = await client.update(`/api/${route}/${documentId}`, { some: change, all: change });
    const path = `/api/${route}/${documentId}?populate=some,all&status=`;
    const [draft, published] = await Promise.all(
      ['draft', 'published'].map((each) => documentOf(client.get(path + each))),
    );
    const [first, ...others] = [draft?.all, draft?.some, published?.all, published?.some].map((list) =>
      (list as ApiDocument[]).map((each) => each.documentId),
    );
    for (const other of others) expect([write, status, change, other]).toEqual([write, status, change, first]);
  }
  expect(await checkInvariants(env.DB, registry)).toEqual([]);
});
