/**
 * @module `npm run media`: looks for bytes without a file and files without their bytes, and removes them.
 */
import { Command, InvalidArgumentError } from 'commander';
import { findMismatches, fixMismatches, type Incomplete, type Mismatches, type Orphan } from '../media/media-check.ts';
import { withStorage } from '../platform/storage.ts';
import type { Target } from '../platform/wrangler.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { print, progress, run, UserError } from '../terminal.ts';

interface Flags extends Target {
  readonly fix?: boolean;
  readonly minAge?: number;
}

const MINUTE = 60_000;
/** Uploads that are under way have bytes before they have a file; locally nobody else uploads. */
const USUAL_AGE = { local: 0, remote: 60 };

const orphanLine = ({ key, size, uploaded }: Orphan): string =>
  `object without a file: ${key} (${size} bytes, ${uploaded.toISOString().slice(0, 16)})`;

function incompleteLine({ file, name, main, formats }: Incomplete): string {
  const what = main ? 'file without its bytes' : 'file without the bytes of its formats';
  return `${what}: ${file.id} ${name}${main ? '' : ` (${formats.join(', ')})`}`;
}

/** An object that is younger than that may belong to an upload that is under way. */
function settledOrphans({ orphans }: Mismatches, { remote, minAge }: Flags): readonly Orphan[] {
  const minutes = minAge ?? (remote ? USUAL_AGE.remote : USUAL_AGE.local);
  const newest = Date.now() - minutes * MINUTE;
  return orphans.filter(({ uploaded }) => minutes === 0 || uploaded.getTime() <= newest);
}

async function check(flags: Flags): Promise<void> {
  const root = process.cwd();
  const registry = registryOf(readSchemaFiles(root));
  await withStorage(root, flags, async (storage) => {
    progress(`comparing the ${flags.remote ? 'deployed' : 'local'} database and bucket …`);
    const found = await findMismatches(storage, progress);
    const orphans = settledOrphans(found, flags);
    const { incomplete } = found;
    for (const line of [...orphans.map(orphanLine), ...incomplete.map(incompleteLine)]) print(line);
    const young = found.orphans.length - orphans.length;
    if (young > 0) progress(`${young} young object(s) without a file were passed over: uploads may be under way`);
    progress(
      `${found.files} file(s), ${found.objects} object(s), ${orphans.length + incomplete.length} without a match`,
    );
    if (orphans.length + incomplete.length === 0) return;
    if (!flags.fix) throw new UserError('To remove what is listed: npm run media -- check --fix');
    await fixMismatches(storage, { orphans, incomplete }, registry, progress);
    progress('removed');
  });
}

function minutes(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('expected a whole number of minutes.');
  return Number(text);
}

function program(): Command {
  const command = new Command('npm run media --').description('The media library of this deployment.');
  command
    .command('check', { isDefault: true })
    .description('Lists objects without a file and files without their bytes.')
    .option('--fix', 'removes them')
    .option('--min-age <minutes>', 'passes over objects that are younger (60 with --remote, else 0)', minutes)
    .option('--remote', 'the deployed database and bucket, not the local ones')
    .option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state')
    .action((flags: Flags) => run(() => check(flags)));
  return command;
}

if (import.meta.main) await program().parseAsync();
