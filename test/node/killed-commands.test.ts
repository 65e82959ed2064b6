/**
 * @module Each command that writes can be killed and run again: what is there then is right, and it says what it goes on with.
 */
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newProgram } from '../../cli/program.ts';
import { KILLED } from '../killed/commands.ts';
import { KilledProject, preparedProject } from '../killed/project.ts';
import { itLong } from '../support/tier.ts';

let prepared: KilledProject;
beforeAll(async () => {
  prepared = await preparedProject();
});
afterAll(() => prepared.remove());

/** Those that `npm test` kills too. */
const SHORT: readonly string[] = ['new', 'migrate'];

for (const [name, row] of Object.entries(KILLED)) {
  if (row === 'reads') continue;
  const declare = SHORT.includes(name) ? it : itLong;
  declare(`${name} is killed, and run again`, async () => {
    const project = new KilledProject(prepared);
    try {
      await row(project);
    } finally {
      project.remove();
    }
  });
}

/** `media check` */
const namesOf = (command: Command, before = ''): readonly string[] =>
  command.commands.flatMap((each) => {
    const name = `${before}${each.name()}`;
    return each.commands.length > 0 ? namesOf(each, `${name} `) : [name];
  });

it('has a row for each command', () => {
  const rows = Object.keys(KILLED).map((name) => name.replace(/ --.*/, ''));
  expect([...new Set(rows)].toSorted()).toEqual(namesOf(newProgram()).toSorted());
});
