/**
 * @module `edgewise history`: deletes former versions of documents.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { locked } from './locked.ts';
import { wholeNumber, withTarget } from './options.ts';

/** An empty text would stand for every document. */
function filled(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a documentId.');
  return text;
}

export function addHistoryCommands(program: Command): void {
  const history = program.command('history').description('Former versions of the documents of this deployment.');

  withTarget(
    history.command('prune').description('Deletes what is too old, too many or too large by the settings.'),
  ).action((target, command) =>
    locked(command, async () => (await import('../history/history.ts')).pruneProject(process.cwd(), target)),
  );

  withTarget(
    history
      .command('purge')
      .description('Deletes all former versions of a content type, or of one document, for good.')
      .requiredOption('--type <uid>', 'the content type, such as api::article.article')
      .option('--document <documentId>', 'only those of this document', filled)
      .option('--yes <n>', 'confirms that so many are deleted; otherwise the command asks', wholeNumber),
  ).action((flags, command) =>
    locked(command, async () => (await import('../history/history.ts')).purgeProject(process.cwd(), flags)),
  );
}
