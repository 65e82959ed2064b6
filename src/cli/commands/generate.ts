/**
 * @module `npm run generate`: everything that follows from content-types/ and edgewise.config.ts.
 */
import { Command } from 'commander';
import { parseRenames } from '../migrations/renames.ts';
import { checkGenerated, generate } from '../project/generate.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { progress, run } from '../terminal.ts';

const collect = (value: string, previous: string[]): string[] => [...previous, value];

interface Flags {
  readonly check?: true;
  readonly allowDrop?: true;
  readonly name?: string;
  readonly rename: string[];
  readonly renameType: string[];
  readonly renameComponent: string[];
  readonly persistTo?: string;
}

async function check(root: string): Promise<void> {
  await checkGenerated(root);
  progress('up to date');
}

async function command(flags: Flags): Promise<void> {
  const root = process.cwd();
  if (flags.check) return check(root);
  const renames = parseRenames(flags.rename, flags.renameType, flags.renameComponent);
  const { allowDrop = false, name = '' } = flags;
  const work = () => generate(root, { renames, allowDrop, name, target: flags });
  const written = await withProjectLock(root, 'npm run generate', work);
  if (written.length === 0) progress('up to date');
  for (const path of written) progress(`wrote ${path}`);
}

if (import.meta.main)
  await new Command('npm run generate --')
    .description('Everything that follows from content-types/ and edgewise.config.ts, with the next migration.')
    .option('--check', 'write nothing; fail when something is stale, or migrations were changed')
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
    .action((flags: Flags) => run(() => command(flags)))
    .parseAsync();
