/**
 * @module Content models by chance, with attributes of every type: requests of every feature are answered in their form,
 * values are read as they have to be, and what must hold of the rows holds after them.
 */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterAll, afterEach, expect, it } from 'vitest';
import { overflowOf } from '../../cli/migrations/layout.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import type { SchemaFile } from '../../src/schema/build.ts';
import type { ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { ownRoutes } from '../generators/features/own-code.ts';
import { FEATURES, settingsOf, stepsOf } from '../generators/features.ts';
import { randomModel, schemaFiles } from '../generators/models.ts';
import { pathOf } from '../generators/subject.ts';
import { type Pair, pairOf } from '../generators/values.ts';
import { createRegistryTables, runCron, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf } from '../support/client.ts';
import { type Dice, diceOf, draw } from '../support/dice.ts';
import { emptyCaches } from '../support/emptied-caches.ts';
import { checkInvariants } from '../support/invariants.ts';
import { createToken } from '../support/recorded.ts';
import { registryOf } from '../support/schema-files.ts';
import { parameters, progress, timeout } from './options.ts';
import { stepCheck } from './step-check.ts';
import { hostileSubject } from './subject.ts';
import { TOKEN } from './world.ts';

/** One after the other: each makes tables of its own. */
const MODELS = [1, 2, 3, 4];

/** By model: the surfaces on which a request succeeded. */
const successes = new Map<number, ReadonlySet<string>>();

afterEach(async () => {
  emptyCaches();
  await reset();
});

afterAll(() => {
  // A single model has too few requests.
  if (successes.size < MODELS.length) return;
  const all = [...successes.values()].flatMap((surfaces) => [...surfaces]);
  expect(all).toEqual(expect.arrayContaining(['reads', 'creates', 'updates']));
});

/** The registry of a model by chance, with its tables and a token. */
async function newModel(seed: number): Promise<Registry> {
  const files = schemaFiles(randomModel(diceOf(seed)));
  const isComponent = ({ path }: SchemaFile) => path.includes('/components/');
  const parts = [files.filter((file) => !isComponent(file)), files.filter(isComponent)] as const;
  const registry = registryOf(...parts, overflowOf(registryOf(...parts), { types: {}, components: {} }));
  await createRegistryTables(registry);
  await createToken(TOKEN, 'full-access');
  return registry;
}

it.each(MODELS)('model %i answers requests of every feature in their form', { timeout }, async (number) => {
  const { numRuns, seed } = parameters('random models');
  const registry = await newModel(seed + number);
  const settings = settingsOf(registry);
  const checkStep = stepCheck({
    registry,
    send: serveRegistry(registry, settings, {}, undefined, { routes: ownRoutes }),
    fireCron: () => runCron(registry, settings),
  });
  const subject = hostileSubject(registry, (uid) => [`{made:${uid}}`]);
  const tick = progress('random models');
  const succeeded = new Set<string>();
  const property = fc.asyncProperty(fc.oneof(...stepsOf(FEATURES, subject)), async (steps) => {
    for (const step of steps) if ((await checkStep(step, `Bearer ${TOKEN}`)) < 400) succeeded.add(step.surface);
    tick();
  });
  await fc.assert(property, { numRuns: Math.ceil(numRuns / MODELS.length), seed: seed + number });
  successes.set(number, succeeded);
  expect(await checkInvariants(env.DB, registry)).toEqual([]);
});

/** Values of a document, each with what is read of it; no two documents have one value of a `uid`. */
const pairsOf = ({ attributes }: ContentType, dice: Dice, run: number): readonly (readonly [string, Pair])[] =>
  [...attributes.values()]
    // Those of the model, beside which every type has others.
    .filter((attribute) => isScalar(attribute) && attribute.name.startsWith('attr'))
    .map((attribute) => {
      const [sent, read] = draw(pairOf(attribute as ScalarAttribute), dice);
      const isUnique = (attribute as ScalarAttribute).type === 'uid';
      return [attribute.name, isUnique ? [`${sent}-${run}`, `${sent}-${run}`] : [sent, read]];
    });

it.each(MODELS)('model %i shows what is written', { timeout }, async (number) => {
  const { numRuns, seed } = parameters('written models');
  const registry = await newModel(seed + number);
  const dice = diceOf(seed + number);
  const client = clientOf(serveRegistry(registry), TOKEN);
  const types = [...registry.routes.values()] as [ContentType, ...ContentType[]];
  for (let run = 0; run < numRuns / MODELS.length; run += 1) {
    const type = dice.pick(types);
    const pairs = pairsOf(type, dice, run);
    const data = Object.fromEntries(pairs.map(([name, [sent]]) => [name, sent]));
    const path = pathOf(type);
    const isOne = type.kind === 'singleType';
    const { documentId } = await documentOf(isOne ? client.update(path, data) : client.create(path, data));
    const found = await documentOf(client.get(isOne ? path : `${path}/${documentId}`));
    const read = Object.fromEntries(pairs.map(([name, [, expected]]) => [name, expected]));
    expect(found, JSON.stringify(data)).toMatchObject(JSON.parse(JSON.stringify(read)));
  }
  expect(await checkInvariants(env.DB, registry)).toEqual([]);
});
