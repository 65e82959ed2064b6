/**
 * @module A batch does what its requests do in sequence where links are exclusive, two-way, one-way and polymorphic, between
 * types with drafts and types without, and where values in components are unique.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import { createRegistryTables } from '../../support/app.ts';
import type { Dice } from '../../support/dice.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { seedOf } from '../../support/seed.ts';
import { isLongTier, samplesOf } from '../../support/tier.ts';
import { type Body, compareBatches, type Names, type Request } from './sequence.ts';

const BATCHES = samplesOf(40, 0.25);
const own = (target: string): Body => ({
  name: { type: 'string' },
  spouse: relation('oneToOne', target, { inversedBy: 'spouseOf' }),
  spouseOf: relation('oneToOne', target, { mappedBy: 'spouse' }),
  parent: relation('manyToOne', target, { inversedBy: 'children' }),
  children: relation('oneToMany', target, { mappedBy: 'parent' }),
  parts: relation('oneToMany', target),
  badge: { type: 'component', component: 'part.badge' },
});

const registry = registryOf(
  [
    contentType('leaf', {
      ...own('leaf'),
      mateOf: relation('oneToOne', 'node', { mappedBy: 'mate' }),
      owner: relation('manyToOne', 'node', { inversedBy: 'owned' }),
      nodes: relation('oneToMany', 'node'),
    }),
    contentType(
      'node',
      {
        ...own('node'),
        code: { type: 'string', unique: true },
        mate: relation('oneToOne', 'leaf', { inversedBy: 'mateOf', required: true }),
        owned: relation('oneToMany', 'leaf', { mappedBy: 'owner' }),
        about: { type: 'relation', relation: 'morphToMany' },
      },
      { drafts: true },
    ),
    contentType('page', { ...own('page'), code: { type: 'string', unique: true } }, { drafts: true, localized: true }),
  ],
  [component('part.badge', { serial: { type: 'string', unique: true }, leaf: relation('oneToOne', 'leaf') })],
);

const ROUTES = ['leafs', 'nodes', 'pages'] as const;
const SEEDS = ROUTES.flatMap((route) =>
  ['one', 'two', 'three'].map((name) => [route === 'nodes' ? 'nodes?status=draft' : route, { name }] as const),
);

function drawn(dice: Dice, names: Names): Request {
  const route = dice.pick(ROUTES);
  const one = (of: string): string => names[of]?.[dice.below(names[of]?.length ?? 0)] ?? 'nobody';
  const to = (of: string) => {
    const [name, other] = [one(of), one(of)];
    return dice.pick<unknown>([
      name,
      [name, other],
      { connect: [name] },
      { connect: [{ documentId: name, position: { before: other } }] },
      { set: [name] },
      { disconnect: [name] },
    ]);
  };
  const links: Record<string, () => Body> = {
    leafs: () =>
      dice.pick<() => Body>([
        () => ({ mateOf: to('nodes') }),
        () => ({ owner: to('nodes') }),
        () => ({ nodes: to('nodes') }),
      ])(),
    nodes: () =>
      dice.pick<() => Body>([
        () => ({ mate: to('leafs') }),
        () => ({ owned: to('leafs') }),
        () => ({ about: { connect: [{ __type: 'api::leaf.leaf', documentId: one('leafs') }] } }),
        () => ({ code: `code ${dice.below(3)}` }),
      ])(),
    pages: () => ({ code: `code ${dice.below(3)}` }),
  };
  const data = dice.pick<() => Body>([
    () => ({ [dice.pick(['spouse', 'spouseOf', 'parent', 'children', 'parts'])]: to(route) }),
    () => ({ ...links[route]?.() }),
    () => ({ ...links[route]?.() }),
    () => ({ badge: { serial: `serial ${dice.below(3)}`, leaf: one('leafs') } }),
    () => ({ name: 'changed' }),
  ])();
  const search = dice.pick(['', '?populate=*', '?status=draft', route === 'pages' ? '?locale=fr' : '']);
  const stored = (names[route] ?? []).filter((name) => !name.startsWith('$'));
  const path = `/api/${route}/${stored[dice.below(stored.length)]}`;
  return dice.pick<Request>([
    { method: 'POST', path: `/api/${route}${search}`, body: { data } },
    { method: 'PUT', path: path + search, body: { data } },
    { method: 'PUT', path: path + search, body: { data } },
    { method: 'DELETE', path: path + dice.pick(['', '?locale=*']), body: { data: {} } },
  ]);
}

beforeAll(() => createRegistryTables(registry));

it('does what its requests do in sequence', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const counts = await compareBatches(
    { registry, rights: [], seeds: SEEDS, drawn },
    seedOf('exclusive batches'),
    BATCHES,
  );
  console.log(JSON.stringify(counts));
  // In a sample, chance may leave out a kind.
  if (isLongTier) expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});
