/**
 * @module A random chain of commands on a project with content of every kind: what is seen after each step is what was
 * seen before it, as far as the step does not say otherwise.
 */
import { expect, vi } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { randomModel, type TypeModel, uidOf } from '../generators/models.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { localesOf } from '../support/locales.ts';
import { insertFiles, newWritten, SCALARS, writeDocument } from './content.ts';
import { makeFolders } from './facets/library.ts';
import { makeUser } from './facets/sessions.ts';
import { insertTokens, Project } from './project.ts';
import type { Seen } from './seen.ts';
import { type Step, withoutKey } from './steps/step.ts';
import { randomStep } from './steps.ts';
import { lostIn, type Writing, withoutWritten, writeBeside } from './writer.ts';

/** Of a project with content of every kind. */
export const SETTINGS: SettingsInput = {
  i18n: localesOf('en', 'fr'),
  history: true,
  server: { url: 'https://api.test' },
  upload: { private: true, folders: true },
  users: { jwtManagement: 'refresh' },
  webhooks: [{ url: 'http://127.0.0.1:9/', allowPrivate: true, events: ['entry.create', 'entry.update'] }],
};

/** How long a chain is, and whether its commands are killed at times. */
interface Course {
  readonly steps: number;
  readonly hasKills: boolean;
  /** Does a Worker write during commands? It needs a storage that both have open. */
  readonly hasWriter: boolean;
}

/** Between the dice of steps and those of what is written. */
const WRITING = 1_000_000;

/** Runs a command line; with kills, first as a process that is killed at some moment. */
async function carryOut(project: Project, line: string, hasKills: boolean, dice: Dice): Promise<void> {
  const isKilled = hasKills && dice.once(2) && (await project.killed(line, 200 + dice.below(3_000)));
  const isImport = line.startsWith('import ');
  // It goes on with the groups that it has, and takes no other option.
  const again = isKilled && isImport && dice.once(2) ? `import ${line.split(' ')[1]} --resume` : line;
  const { code, said } = await project.run(again);
  // An import that was killed before it began has nothing to resume, and one that was done is done.
  if (code !== 0 && isKilled && isImport) await project.done(line);
  else if (code !== 0 && !(isKilled && /already/.test(said))) throw new Error(`edgewise ${line}: ${code}\n${said}`);
}

const linesOf = (text = ''): readonly string[] => text.split('\n');

/** The first lines that are there and should not be, and that should and are not. */
function differences(found: Seen, expected: Seen): object {
  const without = (text: string | undefined, other: string | undefined) => {
    const others = new Set(linesOf(other));
    return linesOf(text)
      .filter((line) => !others.has(line))
      .slice(0, 2);
  };
  const subjects = Object.keys(expected).filter((subject) => found[subject] !== expected[subject]);
  return Object.fromEntries(
    subjects.map((subject) => [
      subject,
      {
        unexpected: without(found[subject], expected[subject]),
        missing: without(expected[subject], found[subject]),
      },
    ]),
  );
}

async function play(project: Project, seed: number, { steps, hasKills, hasWriter }: Course): Promise<void> {
  // A writer does as much as the machine has time for: what it throws must not change the steps of the chain.
  const [dice, writing] = [diceOf(seed), diceOf(seed + WRITING)];
  const model = randomModel(dice, SCALARS);
  project.write(model);
  await project.done('generate');
  await project.done('migrate');
  const written = newWritten();
  const lookAt = () => project.look(model);
  await project.serve(async (worker) => {
    const [first, ...others] = model.types as [TypeModel, ...TypeModel[]];
    const [name = ''] = first.attributes.keys();
    const conditional = { action: `${uidOf(first)}.find`, where: { [name]: { $notNull: true } } };
    await insertTokens(worker.storage, [conditional, ...others.map((type) => `${uidOf(type)}.find`)]);
    await insertFiles(worker);
    await makeFolders(worker);
    await makeUser(worker);
    for (const type of [...model.types, ...model.types, ...model.types])
      await writeDocument(worker, type, model, written, writing);
  });
  let seen = await lookAt();
  const played: string[] = [];
  for (let count = 0; count < steps; count += 1) {
    const before = { model: structuredClone(model), registry: await project.registry() };
    const step: Step = randomStep(model, dice);
    played.push(step.title);
    project.write(model);
    await step.prepare?.(project);
    const work = async () => {
      for (const line of step.lines) await carryOut(project, line, hasKills, writing);
    };
    const isBeside = hasWriter ? step.isBesideWriter : step.isMigration;
    const rest = hasWriter ? work : async () => undefined;
    if (!hasWriter) await work();
    const beside: Writing = isBeside
      ? await writeBeside(project, before.registry, before.model, written, writing, rest)
      : { acknowledged: [], failures: [] };
    if (hasWriter && !isBeside) await work();
    const after = await lookAt();
    const broken = await project.serve(async ({ storage }) => checkInvariants(storage.db, await project.registry()));
    const context = { seed, played };
    const wrong = [...beside.failures, ...lostIn(beside, after, model), ...broken];
    const [found, expected] = [withoutWritten(beside, after), step.expected(seen)].map((each) =>
      (step.ignored ?? []).reduce(withoutKey, each),
    ) as [Seen, Seen];
    expect({ ...context, ...differences(found, expected) }).toEqual(context);
    expect({ ...context, wrong, unfinished: await step.finish?.(project, seen) }).toEqual({
      ...{ ...context, wrong: [] },
      unfinished: step.finish ? [] : undefined,
    });
    await project.serve(async (worker) => {
      for (const type of model.types) await writeDocument(worker, type, model, written, writing);
    });
    seen = await lookAt();
  }
}

/** Plays the chain of a seed in a project of its own. */
export async function playChain(seed: number, course: Course): Promise<void> {
  const project = new Project(SETTINGS);
  // Workers of before report each migration that they do not know.
  const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
  try {
    await play(project, seed, course);
  } finally {
    log.mockRestore();
    project.remove();
  }
}
