/**
 * @module The part of a project's tests that runs in Node: checks of its files, and its migrations, which workerd cannot
 * read. The vitest configuration serves it through a service binding, so that it costs nothing where no test needs it.
 */
import { unstable_splitSqlQuery } from 'wrangler';
import { readMigrations } from '../cli/migrations/migration-files.ts';
import { checkGenerated } from '../cli/project/generate.ts';
import { readSchemaFiles, registryOf } from '../cli/project/project.ts';
import { loadSettings } from '../cli/project/settings.ts';

export interface ProjectState {
  /** What is wrong with each part; null: nothing. */
  readonly problems: Readonly<Record<'contentTypes' | 'settings' | 'generated', string | null>>;
  readonly migrations: { name: string; queries: string[] }[];
}

async function problemOf(check: () => unknown): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function stateOf(root: string): Promise<ProjectState> {
  return {
    problems: {
      contentTypes: await problemOf(async () => registryOf(await readSchemaFiles(root))),
      settings: await problemOf(() => loadSettings(root)),
      generated: await problemOf(() => checkGenerated(root)),
    },
    migrations: readMigrations(root).map(({ name, text }) => ({ name, queries: unstable_splitSqlQuery(text) })),
  };
}

/** Responds to every request with the state of the project in a folder. */
export const answerProject = (root: string) => async (): Promise<Response> => Response.json(await stateOf(root));
