/**
 * @module Populates through polymorphic relations, up to their depth and their limits.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { askingOf } from '../../fuzz/queries.ts';
import { populateOn, searchOf } from '../../generators/queries.ts';
import { clientOf, documentOf, type ErrorAnswer } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openShop, shopRegistry, type Target, target } from '../../support/worlds/shop.ts';

const { client, serve } = openShop();
/** Levels that a query string can nest. */
const LEVELS = 5;
const WIDTH = 12;

let comment: Target;

beforeAll(async () => {
  comment = await target(client, 'comment', { text: 'first' });
  for (let level = 1; level <= LEVELS; level += 1)
    comment = await target(client, 'comment', { text: `level ${level}`, subject: comment });
  const shelves = await Promise.all(Array.from({ length: WIDTH }, () => target(client, 'shelf', {})));
  for (const { documentId } of shelves)
    await documentOf(client.update(`/api/shelves/${documentId}`, { things: shelves }));
});

it('a relation to one is read five levels deep in one round trip', async () => {
  const { database, answering } = countedDatabase(env.DB);
  const populate = Array.from({ length: LEVELS }, () => '[subject][on][api::comment.comment]').join('[populate]');
  const path = `/api/comments/${comment.documentId}?populate${populate}=true`;
  const response = await clientOf(serve({}, { DB: database }), 'full').get(path);
  expect(answering()).toHaveLength(1);
  expect(response.status).toBe(200);
  expect((await response.text()).split('"subject":{')).toHaveLength(LEVELS + 1);
});

describe('generated populate trees', () => {
  const sizes = fc.constantFrom(
    { depth: 2, width: 4, list: 3 },
    { depth: 3, width: 3, list: 3 },
    { depth: 5, width: 2, list: 2 },
  );
  const trees = fc
    .tuple(fc.constantFrom(...shopRegistry.routes.values()), sizes)
    .chain(([type, size]) =>
      fc.record({ type: fc.constant(type), populate: populateOn(type, askingOf(shopRegistry), size) }),
    );

  it('are answered, or refused by a limit', async () => {
    const outcomes = new Map<number, number>();
    const property = fc.asyncProperty(trees, async ({ type, populate }) => {
      const route = type.kind === 'singleType' ? type.singularName : type.pluralName;
      const response = await client.get(`/api/${route}?${searchOf({ populate, status: 'draft' })}`);
      const { error } = (await response.json()) as { error?: ErrorAnswer };
      outcomes.set(response.status, (outcomes.get(response.status) ?? 0) + 1);
      const isMissing = type.kind === 'singleType' && response.status === 404;
      if (response.status !== 200 && !isMissing)
        expect(error).toMatchObject({ status: 400, details: { limit: expect.any(String) } });
    });
    await fc.assert(property, { seed: seedOf('polymorphic populates'), numRuns: samplesOf(300) });
    expect(outcomes.get(200)).toBeGreaterThan(outcomes.get(400) ?? 0);
  });
});
