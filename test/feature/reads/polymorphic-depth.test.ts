/**
 * @module Populates through polymorphic relations, up to their depth.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { askingOf } from '../../fuzz/queries.ts';
import { populateOn, searchOf } from '../../generators/queries.ts';
import { clientOf, documentOf, type ErrorAnswer, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openShop, shopRegistry, type Target, target } from '../../support/worlds/shop.ts';

const { populateLists } = parseSettings({}).api.rest.limits;
const { client, serve } = openShop();
/** Levels that a query string can nest. */
const MAX_LEVELS = 5;
const WIDTH = 12;

let comment: Target;
let shelf: Target;

beforeAll(async () => {
  comment = await target(client, 'comment', { text: 'first' });
  for (let level = 1; level <= MAX_LEVELS; level += 1)
    comment = await target(client, 'comment', { text: `level ${level}`, subject: comment });
  const shelves = await Promise.all(Array.from({ length: WIDTH }, () => target(client, 'shelf', {})));
  for (const { documentId } of shelves)
    await documentOf(client.update(`/api/shelves/${documentId}`, { things: shelves }));
  [shelf] = shelves as [Target];
});

const nested = (name: string, uid: string, levels: number) =>
  `populate${Array.from({ length: levels }, () => `[${name}][on][${uid}]`).join('[populate]')}=true`;

async function readOnce(path: string): Promise<Response> {
  const { database, answering } = countedDatabase(env.DB);
  const response = await clientOf(serve({}, { DB: database }), 'full').get(path);
  expect(answering()).toHaveLength(1);
  return response;
}

describe('a relation to one', () => {
  it.each(Array.from({ length: MAX_LEVELS }, (_, index) => index + 1))('is read %i levels deep', async (levels) => {
    const path = `/api/comments/${comment.documentId}?${nested('subject', 'api::comment.comment', levels)}`;
    const response = await readOnce(path);
    expect(response.status).toBe(200);
    expect((await response.text()).split('"subject":{')).toHaveLength(levels + 1);
  });

  it('is no key at all a level deeper', async () => {
    const path = `/api/comments?${nested('subject', 'api::comment.comment', MAX_LEVELS + 1)}`;
    expect((await errorOf(client.get(path))).message).toMatch(/^Invalid key \[subject\]/);
  });
});

describe('a relation to many', () => {
  it('multiplies rows, of which a response has no more than its limit', async () => {
    const path = `/api/shelves/${shelf.documentId}?${nested('things', 'api::shelf.shelf', 3)}`;
    expect((await readOnce(path)).status).toBe(200);
    const more = `/api/shelves/${shelf.documentId}?${nested('things', 'api::shelf.shelf', populateLists)}`;
    expect((await errorOf(client.get(more))).details).toMatchObject({ limit: 'answerRows' });
  });

  it('is a list inside others, of which there may be few', async () => {
    const path = `/api/shelves?${nested('things', 'api::shelf.shelf', populateLists + 1)}`;
    expect((await errorOf(client.get(path))).details).toMatchObject({ limit: 'populateLists' });
  });
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
