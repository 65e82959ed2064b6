/**
 * @module `edgewise generate`: everything that follows from content-types/ and edgewise.config.ts.
 */
import { Command, Option } from 'commander';
import type { GenerateFlags } from '../work/generate.ts';
import { collect } from './options.ts';

const WRITING = ['name', 'allowDrop', 'rename', 'renameType', 'renameComponent', 'persistTo'];

export const generate = (): Command =>
  new Command('generate')
    .description('Everything that follows from content-types/ and edgewise.config.ts, with the next migration.')
    .addOption(
      new Option('--check', 'write nothing; fail when something is stale, or migrations were changed').conflicts(
        WRITING,
      ),
    )
    .option('--name <name>', 'what the migration does, for the names of its files')
    .option('--allow-drop', 'go ahead with changes that lose stored content')
    .option(
      '--rename <type.oldName=newName>',
      'an attribute of a content type or component was renamed (repeatable)',
      collect,
      [],
    )
    .option('--rename-type <oldType=newType>', 'a content type was renamed, with its table (repeatable)', collect, [])
    .option(
      '--rename-component <old.uid=new.uid>',
      'a component was renamed, or oldCategory=newCategory (repeatable)',
      collect,
      [],
    )
    .option('--persist-to <dir>', 'folder of the local database that is counted in, in place of .wrangler/state')
    .action(async (flags: GenerateFlags) =>
      (await import('../work/generate.ts')).generateProject(process.cwd(), flags),
    );
