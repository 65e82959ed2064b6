/**
 * @module From the files of a project to what is served: the tables of the local database first, then the Worker, and
 * only where everything is right. What is wrong is said, and the last version that was right goes on.
 */
import type { Registry } from '../../registry/model.ts';
import { progress } from '../core/terminal.ts';
import { runAll } from '../migrations/applied.ts';
import { reportMigrated } from '../migrations/apply.ts';
import { changeFiles } from '../project/change-files.ts';
import { describedFiles } from '../project/generate.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { readSources } from '../project/sources.ts';
import type { Gate } from './gate.ts';
import { type Push, planPush, settle } from './push.ts';
import { servedWorker, writeWorker } from './served-worker.ts';

export interface Project {
  readonly root: string;
  readonly db: D1Database;
  /** File of the Worker that is served. */
  readonly worker: string;
}

export interface Brought {
  readonly registry: Registry;
  /** Of the Worker. */
  readonly version: string;
  /** Is it another Worker than before? */
  readonly isNew: boolean;
  readonly push: Push;
}

/**
 * Brings the database and the file of the Worker up to what the files ask for.
 * @throws SchemaError or UserError; nothing has changed then, but for migrations of the project.
 */
export async function bringUp({ root, db, worker }: Project): Promise<Brought> {
  const sources = await readSources(root);
  const [local, applied] = await settle(root, db);
  if (applied > 0) reportMigrated(applied, {});
  const push = await planPush(root, db, local, sources);
  await runAll(db, 'content-types/', push.statements);
  const { registry, files } = push.wanted;
  for (const path of changeFiles(root, describedFiles(registry, sources.settings))) progress(`wrote ${path}`);
  const served = servedWorker(root, worker, files, sources.settings);
  return { registry, version: served.version, isNew: writeWorker(worker, served), push };
}

/** Milliseconds for a command that changes the project, such as `npm run generate`. */
const PATIENCE = 60_000;

export interface Follower {
  /** Works off a change of the files. Never fails. */
  follow(): Promise<void>;
}

/** Says what is new since the last time. */
function reporter() {
  let wasDue = false;
  return ({ push }: Brought): void => {
    if (push.what !== undefined) progress(`local database: ${push.what}`);
    if (push.isDue && (!wasDue || push.what !== undefined))
      progress('No migration has these changes yet. When they are done: npm run generate -- --name <what they do>');
    wasDue = push.isDue;
  };
}

/**
 * @param first what is served at the start.
 * @param served waits until a version is served.
 */
export function startFollowing(
  project: Project,
  gate: Gate,
  first: Brought,
  served: (version: string) => Promise<void>,
): Follower {
  const report = reporter();
  let problem: string | undefined;
  report(first);
  const change = async () => {
    const brought = await bringUp(project);
    if (brought.isNew) await served(brought.version);
    return brought;
  };
  return {
    async follow() {
      try {
        // Before the gate is held: the command that has the lock may query the database through the gate.
        const held = () => gate.hold(change);
        const brought = await withProjectLock(project.root, 'npm run dev', held, PATIENCE);
        report(brought);
        if (brought.isNew || problem !== undefined) progress('served with what was saved');
        problem = undefined;
      } catch (error) {
        const { message } = error as Error;
        if (message !== problem) progress(`${message}\nThe last version that was right is still served.`);
        problem = message;
      }
      gate.tell(problem);
    },
  };
}
