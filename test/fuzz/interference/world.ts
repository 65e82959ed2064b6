/**
 * @module A world: a database and a bucket of its own, with an app in front. It returns to its first content after each
 * sequence of requests.
 */

import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { readAccessToken } from '../../../src/features/oauth/tokens.ts';
import { OF_TOOL } from '../../../src/http/context.ts';
import { cronHandler } from '../../../src/http/cron.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import type { Host } from '../../generators/callers.ts';
import { ownRoutes } from '../../generators/features/own-code.ts';
import type { Sent } from '../../generators/step.ts';
import { createSchemaSql } from '../../support/schema-sql.ts';
import { JWT_SECRET } from '../../support/users.ts';
import { letIn } from '../callers.ts';
import { memoryBucket } from './bucket.ts';
import { idNamed, START } from './chance.ts';
import { revertibleDatabase } from './database.ts';
import { registry, uidOf } from './model.ts';
import { PREVIEWED } from './names.ts';
import { SETTINGS } from './settings.ts';

/** workerd has it: Node does not. */
Object.assign(ReadableStreamBYOBReader.prototype, {
  readAtLeast(this: ReadableStreamBYOBReader, min: number, view: Uint8Array<ArrayBuffer>) {
    return (this.read as (view: Uint8Array<ArrayBuffer>, options: object) => Promise<unknown>)(view, { min });
  },
});

/** A stream that no BYOB reader reads, so that both ways of reading are taken. */
const streamOf = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld(given: SettingsInput = SETTINGS) {
  const settings = parseSettings(given);
  const database = revertibleDatabase();
  for (const statement of await createSchemaSql(registry)) database.exec(statement);
  const [publicFiles, privateFiles] = [memoryBucket(), memoryBucket()];
  const env = {
    DB: database.db,
    MEDIA: publicFiles.bucket,
    PRIVATE_MEDIA: privateFiles.bucket,
    JWT_SECRET,
  } as unknown as Env;
  const open = () => {
    const deployment = createDeployment({
      registry,
      settings,
      extensions: { routes: ownRoutes },
      emailSender: { send: async () => undefined },
    });
    return { app: createApp(deployment), runDue: cronHandler(deployment) };
  };
  let { app, runDue } = open();
  /** Full access has an isolate of its own, which stays. */
  const { app: fullApp } = open();

  async function withContext<T>(work: (context: ExecutionContext) => Promise<T> | T): Promise<T> {
    const pending: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>) => void pending.push(promise);
    const result = await work({ waitUntil, passThroughOnException: () => undefined } as unknown as ExecutionContext);
    await Promise.all(pending);
    return result;
  }

  const world = {
    database,
    async send(
      { method, path, headers, body }: Omit<Sent, 'headers'> & Partial<Sent>,
      token: string,
    ): Promise<Response> {
      // A client reaches the API by tools, which send its claims in place of the header.
      const isOfTool = !path.startsWith('/mcp');
      const claims = isOfTool ? await readAccessToken(`Bearer ${token}`, JWT_SECRET, Date.now()) : undefined;
      const bindings = claims ? { ...env, [OF_TOOL]: { claims } } : env;
      const all = {
        'content-type': 'application/json',
        ...headers,
        ...(token && !claims && { authorization: `Bearer ${token}` }),
      };
      const init = { method, headers: all, ...(body !== undefined && { body: streamOf(body), duplex: 'half' }) };
      return withContext((context) =>
        (token === 'full' ? fullApp : app).fetch(new Request(`http://edgewise.test${path}`, init), bindings, context),
      );
    },
    /** Fires the cron trigger. */
    runScheduled: () => withContext((context) => runDue(undefined, env, context)),
    /** Begins a sequence, with new isolates. */
    begin() {
      database.mark();
      ({ app, runDue } = open());
    },
    end() {
      database.revert();
      for (const each of [publicFiles, privateFiles]) each.clear();
    },
  };
  await letIn(hostOf(world), 'interference', ['token']);
  return world;
}

/** The world as callers get credentials in it. */
export const hostOf = ({ database, send }: Pick<World, 'database' | 'send'>): Host => ({
  run: (sql, ...values) => database.all(sql, ...values),
  async send(method, path, body, asPublic) {
    const sent = body && { body: JSON.stringify(body) };
    return (await send({ method, path, ...sent }, asPublic ? '' : 'full')).json();
  },
  now: START,
  previewed: { uid: uidOf('story'), documentId: idNamed(PREVIEWED) },
});
