/**
 * @module Runs `npm run dev`: prepares database, Worker and demo content, then serves.
 */
import { relative } from 'node:path';
import { contentActions, isPrivateAction } from '../../src/access/actions.ts';
import { systemType, USER_UID } from '../../src/schema/system-types.ts';
import { SIGNALS } from '../core/leftovers.ts';
import { whileLocked } from '../core/lock/project-lock.ts';
import { filledTables } from '../core/sql/database.ts';
import { runBatch } from '../core/sql/statements.ts';
import { openControl } from '../core/storage/control.ts';
import { assertUnserved, hasDatabase, lockState, noteHolder, stateFolder } from '../core/storage/state-folder.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print, progress, UserError } from '../core/terminal.ts';
import { readConfiguration } from '../core/wrangler/configuration.ts';
import { type Target, targetOptions } from '../core/wrangler/wrangler.ts';
import {
  bucketWarnings,
  flagWarnings,
  imageWarnings,
  newUserWarnings,
  registrationWarnings,
} from '../deploy/warnings.ts';
import { assetWarnings } from '../project/warnings.ts';
import { announcement, SIGNS_IN, type Tokens } from './announcement.ts';
import { devArgs, devBundle, devVariables } from './dev-bundle.ts';
import { type DevState, devState, prepareTokens, revokeSeedToken } from './dev-state.ts';
import { type Content, createFollower } from './follow.ts';
import { type Gate, HOST, openGate } from './gate.ts';
import { holdingRequests } from './holding-requests.ts';
import { ensureSecrets, localSecretWarnings } from './secrets.ts';
import { plantSeeds, readSeeds } from './seed.ts';
import { SIGN_IN_PATH, signInLink } from './sign-in-link.ts';
import { type DevServer, fireCron, openMailbox, startDevServer, untilServed } from './wrangler-process.ts';

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });

const STOPPED_PLANTING = 'Stopped while the demo content was being planted. The next npm run dev resumes it.';

type DevFlags = Pick<Target, 'persistTo'> & { readonly port: number; readonly host: string };

interface Session {
  readonly root: string;
  readonly db: D1Database;
  readonly target: Target;
  readonly state: DevState;
  readonly gate: Gate;
  readonly closing: AsyncDisposableStack;
}

/** Uses the database before any client does: of two processes that have it open, one may find it locked. */
async function prepareContent(session: Session, { registry, settings }: Content, server: DevServer) {
  const { root, db, state } = session;
  const seeds = state.isPlanted() ? [] : readSeeds(root, registry, progress);
  const tables = seeds.map(({ type }) => type.table);
  const permissions = settings.studio === true ? contentActions(registry).filter(isPrivateAction) : undefined;
  const { tokens, seedToken } = await prepareTokens(state, db, tables, permissions);
  if (seedToken) {
    const isResumed = state.isPlanting();
    progress(`${isResumed ? 'resuming to plant' : 'planting'} the demo content …`);
    state.notePlanting();
    await plantSeeds({ base: `http://${HOST}:${server.port}`, token: seedToken, isResumed }, seeds, progress);
    await revokeSeedToken(db);
  }
  state.notePlanted();
  const users = await filledTables(db, [systemType(registry, USER_UID).table]);
  return { tokens, hasUsers: users.length > 0 };
}

/** Lets a link sign in to Studio. @returns the link; undefined for a server that has no address of this machine alone */
function openSignIn({ url, handle, isPublic }: Gate, { demo, studio = demo }: Tokens): string | undefined {
  if (isPublic) return undefined;
  const { address, respond } = signInLink(url, studio, (next) => print(`${SIGNS_IN}: ${next}`));
  handle(SIGN_IN_PATH, respond);
  return address();
}

const LOOK_EVERY = 500;

/** Rejects once the local database was deleted: the server has its files open, and each reload would fail. */
function untilDeleted(root: string, target: Target, closing: AsyncDisposableStack): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const folder = relative(root, stateFolder(root, target));
  const gone = new UserError(`${folder} was deleted while npm run dev served it. Restart npm run dev`);
  const timer = setInterval(() => hasDatabase(root, target) || reject(gone), LOOK_EVERY);
  closing.defer(() => clearInterval(timer));
  return promise;
}

/** Serves until the server ends. @returns its exit code. @throws UserError if its database was deleted */
async function serveAll(session: Session): Promise<number> {
  const { root, db, target, state, gate, closing } = session;
  progress('preparing the local database and the Worker …');
  const bundle = devBundle(root, target);
  const follower = createFollower({ root, db, bundle, url: gate.isPublic ? '' : gate.url });
  const served = Promise.withResolvers<DevServer>();
  const responds = async (): Promise<void> => untilServed(await served.promise);
  const prepareBuild = holdingRequests(gate, follower.follow, responds);
  const control = await openControl((statements) => gate.hold(() => runBatch(db, statements)), prepareBuild);
  closing.defer(control.close);
  const { mails } = state;
  const mailbox = await openMailbox(mails, () => progress(`an e-mail was written to ${relative(root, mails)}`));
  closing.defer(mailbox.close);
  const urls = { url: gate.url, mailbox: mailbox.url, buildUrl: `${control.url}/build` };
  const server = await startDevServer({
    ...{ ...urls, persistTo: stateFolder(root, target) },
    ...{ args: devArgs(root, bundle), variables: devVariables(bundle) },
  });
  closing.defer(server.stop);
  served.resolve(server);
  // wrangler calls `buildUrl` before it bundles.
  const [content] = await Promise.all([follower.first, untilServed(server)]);
  const { tokens, hasUsers } = await prepareContent(session, content, server);
  noteHolder(root, target, gate.url, control.url);
  gate.open(server.port);
  closing.defer(fireCron(server));
  const { registry, settings } = content;
  const missing = assetWarnings(root, settings);
  const configuration = readConfiguration(root, target);
  const studio = missing.length > 0 ? false : settings.studio;
  const link = studio === false ? undefined : openSignIn(gate, tokens);
  const announced = {
    url: gate.url,
    tokens,
    registry,
    settings,
    studio,
    hasUsers,
    signInLink: link,
    options: targetOptions(target),
  };
  for (const line of announcement(announced)) print(line);
  const warnings = [
    ...bucketWarnings(settings, configuration),
    ...imageWarnings(settings, configuration),
    ...flagWarnings(settings, configuration),
    ...registrationWarnings(settings),
    ...newUserWarnings(settings, registry),
  ];
  for (const line of [...missing, ...localSecretWarnings(root, settings), ...warnings]) print(line);
  if (gate.isPublic) print('Other machines of the network can reach this server.');
  print(`E-mails are written to ${relative(root, mails)}. Ctrl-C stops the server.`);
  server.show(false);
  return Promise.race([server.ended, untilDeleted(root, target, closing)]);
}

/** Serves until the end. @returns the exit code. @throws UserError for invalid files, or a port or database in use. */
export async function serve(root: string, { port, host, ...target }: DevFlags): Promise<number> {
  // Before the port, which the other server has as well.
  assertUnserved(root, target, port);
  ensureSecrets(root);
  const closing = new AsyncDisposableStack();
  const log = process.env.WRANGLER_LOG;
  try {
    const gate = await openGate(port, host);
    closing.defer(gate.close);
    closing.defer(await whileLocked(root, 'dev', async () => lockState(root, target, gate.url)));
    return await withStorage(root, target, async ({ db }) => {
      // Opening the database has silenced wrangler; the output of the Worker is shown.
      if (log === undefined) delete process.env.WRANGLER_LOG;
      // Opening the database has added listeners that end the process at once.
      for (const signal of SIGNALS) process.removeAllListeners(signal);
      const state = devState(root, target);
      const work = serveAll({ root, target, state, db, gate, closing });
      try {
        const code = await Promise.race([work, signalled().then(() => undefined)]);
        if (code === undefined) progress(state.isPlanting() ? STOPPED_PLANTING : 'Stopped.');
        return code ?? 0;
      } finally {
        work.catch(() => {});
        await closing.disposeAsync();
      }
    });
  } finally {
    await closing.disposeAsync();
  }
}
