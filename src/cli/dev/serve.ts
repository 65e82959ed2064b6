/**
 * @module What `npm run dev` does, from the first file to the end: database, Worker, demo content, and only then answers.
 */
import { relative } from 'node:path';
import { runBatch } from '../core/sql/database.ts';
import { openControl } from '../core/storage/control.ts';
import { lockState, noteControl } from '../core/storage/lock.ts';
import { stateFile, stateFolder } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, progress } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { importedFiles } from '../project/fresh-import.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { type DevServer, startDevServer, untilServed } from './dev-server.ts';
import {
  isPlanted,
  isPlanting,
  mailFile,
  notePlanted,
  notePlanting,
  prepareTokens,
  revokeSeedToken,
} from './dev-state.ts';
import { announcement } from './examples.ts';
import { type Brought, bringUp, type Project, startFollowing } from './follow.ts';
import { type Gate, HOST, openGate } from './gate.ts';
import { openMailbox } from './mailbox.ts';
import { plantSeeds, readSeeds } from './seed.ts';
import { watchSources } from './watch.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C, or a polite kill. */
const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });

const STOPPED_PLANTING = 'Stopped while the demo content was being planted. The next npm run dev goes on with it.';

type Close = () => void | Promise<void>;

interface Session extends Project {
  readonly target: Target;
  readonly gate: Gate;
  /** Called at the end, the last one first. */
  readonly closing: Close[];
}

/** @returns the read-only token. */
async function prepareContent(session: Session, { registry }: Brought, server: DevServer): Promise<string> {
  const { root, db, target } = session;
  const seeds = isPlanted(root, target) ? [] : readSeeds(root, registry, progress);
  const tables = seeds.map(({ type }) => type.table);
  const { demoToken, seedToken } = await prepareTokens(root, db, tables, target);
  if (seedToken) {
    const isResumed = isPlanting(root, target);
    progress(`${isResumed ? 'going on planting' : 'planting'} the demo content …`);
    notePlanting(root, target);
    await plantSeeds({ base: `http://${HOST}:${server.port}`, token: seedToken, isResumed }, seeds, progress);
    await revokeSeedToken(db);
  }
  notePlanted(root, target);
  return demoToken;
}

async function startServer({ root, target, gate, worker, closing }: Session): Promise<DevServer> {
  const mail = mailFile(root, target);
  const mailbox = await openMailbox(mail, () => progress(`an e-mail was written to ${relative(root, mail)}`));
  closing.push(mailbox.close);
  progress('starting the Worker …');
  const persistTo = stateFolder(root, target);
  const server = await startDevServer({ worker, url: gate.url, mailbox: mailbox.url, persistTo });
  closing.push(server.stop);
  return server;
}

/** Serves until the server ends by itself. @returns its exit code. */
async function serveAll(session: Session): Promise<number> {
  const { root, gate, closing } = session;
  let follow = async () => {
    missed = true;
  };
  let missed = false;
  const watching = await watchSources(root, () => follow());
  closing.push(watching.close);
  progress('preparing the local database …');
  const first = await withProjectLock(root, 'npm run dev', () => bringUp(session));
  const server = await startServer(session);
  await untilServed(server, first.version);
  const token = await prepareContent(session, first, server);
  const follower = startFollowing(session, gate, first, (version) => untilServed(server, version));
  follow = async () => {
    await follower.follow();
    watching.include(importedFiles());
  };
  watching.include(importedFiles());
  const control = await openControl((statements) => gate.hold(() => runBatch(session.db, statements)));
  closing.push(control.close);
  noteControl(root, session.target, gate.url, control.url);
  gate.open(server.port);
  for (const line of announcement(gate.url, token, first.registry)) print(line);
  if (gate.isPublic) print('Other machines of the network can reach this server.');
  print(`E-mails are written to ${relative(root, mailFile(root, session.target))}. Ctrl-C stops the server.`);
  server.show(false);
  if (missed) await follow();
  return server.ended;
}

async function closeAll(closing: Close[]): Promise<void> {
  for (let close = closing.pop(); close; close = closing.pop()) await close();
}

/** Does the work until it ends or the user ends it. @returns the exit code. */
async function untilEnd(session: Session): Promise<number> {
  const work = serveAll(session);
  try {
    const code = await Promise.race([work, stopped().then(() => undefined)]);
    if (code === undefined) progress(isPlanting(session.root, session.target) ? STOPPED_PLANTING : 'Stopped.');
    return code ?? 0;
  } finally {
    work.catch(() => {});
    await closeAll(session.closing);
  }
}

/**
 * Serves the project on a port of this machine.
 * @returns the exit code.
 * @throws UserError when the port or the local database is taken, and for what keeps the first version from being served.
 */
export async function serve(
  root: string,
  { port, host }: { readonly port: number; readonly host: string },
  target: Target,
): Promise<number> {
  const closing: Close[] = [];
  const log = process.env.WRANGLER_LOG;
  try {
    const gate = await openGate(port, host);
    closing.push(gate.close);
    await withProjectLock(root, 'npm run dev', () => closing.push(lockState(root, target, gate.url)));
    return await withStorage(root, target, ({ db }) => {
      // What the Worker says is worth showing, whatever is kept back while the database is opened.
      if (log === undefined) delete process.env.WRANGLER_LOG;
      // Whoever opens a database lets signals end the process at once.
      for (const signal of SIGNALS) process.removeAllListeners(signal);
      return untilEnd({ root, target, db, gate, closing, worker: stateFile(root, target, 'worker.js') });
    });
  } finally {
    await closeAll(closing);
  }
}
