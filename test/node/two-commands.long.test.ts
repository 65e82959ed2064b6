/**
 * @module Two commands at once on a project, as processes: one waits for the other, so it ends as if one had been run after
 * the other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { lockProject } from '../../cli/core/lock/project-lock.ts';
import { SETTINGS } from '../commands/chain.ts';
import { insertFiles, newWritten, SCALARS, writeDocument } from '../commands/content.ts';
import { insertTokens, Project } from '../commands/project.ts';
import { seenBy } from '../commands/seen.ts';
import { type Model, newName, randomModel, type TypeModel } from '../generators/models.ts';
import { diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';

let project: Project;
let model: Model;
let filled: readonly string[];
const dice = diceOf(1);

beforeAll(async () => {
  project = new Project(SETTINGS);
  model = randomModel(dice, SCALARS);
  project.write(model);
  for (const line of ['generate', 'migrate']) await project.done(line);
  const written = newWritten();
  await project.serve(async (worker) => {
    await insertTokens(worker.storage, []);
    await insertFiles(worker);
    for (const type of [...model.types, ...model.types]) await writeDocument(worker, type, model, written, dice);
  });
  ({ filled } = await look());
  for (const line of ['backup --file backup.tar.gz', 'export --file archive.tar.gz']) await project.done(line);
});
afterAll(() => project.remove());

/** The subjects that are not empty, and what must not be in the rows. */
const look = () =>
  project.serve(async (worker) => ({
    filled: Object.entries(await seenBy(worker, model)).flatMap(([subject, text]) =>
      subject.startsWith('api::') && text !== '' ? [subject] : [],
    ),
    broken: await checkInvariants(worker.storage.db, await project.registry()),
  }));

async function start(line: string) {
  const child = spawn(process.execPath, project.args(line), { cwd: project.root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, heard, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { line, code, said: `${said}${heard}` };
}

const addAttribute = (): void => {
  const [type] = model.types as [TypeModel];
  type.attributes.set(newName(model, 'attr'), { type: 'string' });
  project.write(model);
};

const REPLACE = 'import archive.tar.gz --replace --no-backup';
const RESTORE = 'restore backup.tar.gz --replace --no-backup';

it.each<readonly [one: string, other: string, before: () => Promise<unknown>]>([
  ['generate', 'generate', async () => addAttribute()],
  ['migrate', 'migrate', async () => undefined],
  [REPLACE, REPLACE, async () => undefined],
  [
    REPLACE,
    'migrate',
    async () => {
      addAttribute();
      await project.done('generate');
    },
  ],
  [RESTORE, REPLACE, async () => undefined],
  ['media check --fix --yes 0', REPLACE, async () => undefined],
  ['history prune', RESTORE, async () => undefined],
])('%s, and %s beside it', async (one, other, before) => {
  await before();
  const ended = await Promise.all([one, other].map(start));
  const others = ended.filter(({ said }) => said.includes('waiting for edgewise'));
  expect(others).toHaveLength(1);
  // One that has waited for too long was rejected, and is run again.
  for (const { line, code, said } of ended)
    if (code !== 0) {
      expect(said).toMatch(/writes to this project\. Nothing was changed: run the command again when it has ended\n$/);
      await project.done(line);
    }
  await project.done('generate --check');
  await project.done('migrate');
  expect(await look()).toEqual({ filled, broken: [] });
});

it('npm run dev, and migrate beside it', async () => {
  const free = await lockProject(project.root, 'migrate');
  const line = `dev --port ${await freePort()}`;
  const child = spawn(process.execPath, project.args(line), { cwd: project.root, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    let said = '';
    while (!said.includes('waiting')) said += String(await once(child.stderr, 'data'));
    expect(said).toMatch(/^waiting for edgewise migrate \(process \d+/m);
  } finally {
    child.kill();
    await once(child, 'exit');
    free();
  }
});
