/**
 * @module A random chain of commands on a project with content of every kind: what is seen after each step is what was
 * seen before it, as far as the step does not say otherwise.
 */
import { expect, vi } from 'vitest';
import type { Registry } from '../../src/registry/model.ts';
import type { SettingsInput } from '../../src/settings/config.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { expectDone, insertFiles, newWritten, updateAsBefore, type Written, writeDocument } from './content.ts';
import { type Model, randomModel, type TypeModel, uidOf } from './model.ts';
import { insertTokens, Project } from './project.ts';
import { type Seen, seenBy } from './seen.ts';
import { randomStep, type Step } from './steps.ts';

/** Of a project with content of every kind. */
export const SETTINGS: SettingsInput = {
  i18n: { locales: ['en', 'fr'].map((code) => ({ code, name: code, isDefault: code === 'en' })) },
  history: true,
  server: { url: 'https://api.test' },
  upload: { private: true },
  webhooks: [{ url: 'http://127.0.0.1:9/', allowPrivate: true, events: ['entry.create', 'entry.update'] }],
};

/** How long a chain is, and whether its commands are killed at times. */
interface Course {
  readonly steps: number;
  readonly hasKills: boolean;
}

/** Runs a command line; with kills, first as a process that is killed at some moment. */
async function carryOut(project: Project, line: string, hasKills: boolean, dice: Dice): Promise<void> {
  const isKilled = hasKills && dice.once(2) && (await project.killed(line, 200 + dice.below(3_000)));
  const isImport = line.startsWith('import ');
  const { code, said } = await project.run(isKilled && isImport ? `${line} --resume` : line);
  // An import that was killed before it began has nothing to resume, and one that was done is done.
  if (code !== 0 && isKilled && isImport) await project.done(line);
  else if (code !== 0 && !(isKilled && /already/.test(said))) throw new Error(`edgewise ${line}: ${code}\n${said}`);
}

/**
 * Writes with the Worker of before, which goes on until the new one is deployed: what it answers with success is there.
 * @param before its content types
 */
async function writeAsBefore(
  project: Project,
  registry: Registry,
  before: Model,
  after: Model,
  written: Written,
  dice: Dice,
): Promise<void> {
  for (const [index, type] of before.types.entries()) {
    const [documentId] = written.documents.get(uidOf(type)) ?? [];
    if (documentId === undefined) continue;
    const texts = await project.serve(
      (worker) => updateAsBefore(worker, type, documentId, before, written, dice),
      registry,
    );
    const { [`${uidOf(after.types[index] as TypeModel)} ${type.drafts ? 'draft' : 'published'}`]: shown = '' } =
      await project.serve((worker) => seenBy(worker, after));
    const lost = (texts ?? []).filter((text) => !shown.includes(`${text}"`));
    expect({ type: type.name, documentId, lost }).toEqual({ type: type.name, documentId, lost: [] });
  }
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

async function play(project: Project, seed: number, { steps, hasKills }: Course): Promise<void> {
  const dice = diceOf(seed);
  const model = randomModel(dice);
  project.write(model);
  await project.done('generate');
  await project.done('migrate');
  const written = newWritten();
  let seen = await project.serve(async (worker) => {
    const [first] = model.types as [TypeModel];
    const [name = ''] = first.attributes.keys();
    await insertTokens(worker.storage, [{ action: `${uidOf(first)}.find`, where: { [name]: { $notNull: true } } }]);
    await insertFiles(worker);
    const user = { username: 'ann', email: 'ann@a.test', password: 'a long password', role: 1 };
    await expectDone(worker.ask, 'POST', '/api/users', user);
    for (const type of [...model.types, ...model.types, ...model.types])
      await writeDocument(worker, type, model, written, dice);
    return seenBy(worker, model);
  });
  const played: string[] = [];
  for (let count = 0; count < steps; count += 1) {
    const before = { model: structuredClone(model), registry: await project.registry() };
    const step: Step = randomStep(model, dice);
    played.push(step.title);
    project.write(model);
    for (const line of step.lines) await carryOut(project, line, hasKills, dice);
    const [after, broken] = await project.serve(async (worker) => [
      await seenBy(worker, model),
      await checkInvariants(worker.storage.db, await project.registry()),
    ]);
    const context = { seed, played };
    expect({ ...context, ...differences(after, step.expected(seen)) }).toEqual(context);
    expect({ ...context, broken }).toEqual({ ...context, broken: [] });
    if (step.isMigration) await writeAsBefore(project, before.registry, before.model, model, written, dice);
    await project.serve(async (worker) => {
      for (const type of model.types) await writeDocument(worker, type, model, written, dice);
    });
    seen = await project.serve((worker) => seenBy(worker, model));
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
