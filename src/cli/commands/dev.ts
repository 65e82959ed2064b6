/**
 * @module `npm run dev`: from a fresh clone to a server with content, in one command.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { ContentType, Registry } from '../../registry/model.ts';
import { assertFree, type DevServer, startDevServer, untilReady } from '../dev/dev-server.ts';
import { isPlanted, mailFile, notePlanted, prepareTokens, revokeSeedToken } from '../dev/dev-state.ts';
import { keepServing } from '../dev/keep-serving.ts';
import { openMailbox } from '../dev/mailbox.ts';
import { plantSeeds, readSeeds, type Seed } from '../dev/seed.ts';
import { watchSources } from '../dev/watch.ts';
import { migrate, reportMigrated } from '../migrations/apply.ts';
import { generate } from '../project/generate.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { print, progress, run, UserError } from '../terminal.ts';

interface Flags {
  readonly port: number;
  readonly persistTo?: string;
}

const SECRETS = '.dev.vars';

function ensureSecrets(root: string): void {
  const path = join(root, SECRETS);
  if (existsSync(path)) return;
  writeFileSync(path, `JWT_SECRET=${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  progress(`wrote ${SECRETS} with random secrets`);
}

async function prepareFiles(root: string, flags: Flags): Promise<void> {
  ensureSecrets(root);
  progress('generating from content-types/ …');
  for (const path of await generate(root, { target: flags })) progress(`  wrote ${path}`);
}

async function plant(root: string, server: DevServer, seeds: readonly Seed[], token: string, flags: Flags) {
  progress('planting the demo content …');
  try {
    await plantSeeds({ base: server.url, token }, seeds, progress);
  } catch (error) {
    throw new UserError(`${(error as Error).message}\nTo plant it again, start from an empty local database.`);
  } finally {
    await revokeSeedToken(flags);
  }
  notePlanted(root, flags);
}

const pathOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

function examplesOf(type: ContentType): readonly string[] {
  const path = pathOf(type);
  const text = [...type.attributes.values()].find((item) => item.kind === 'scalar' && item.type === 'string')?.name;
  return [
    `${path}?sort=createdAt:desc&populate=*&pagination[pageSize]=2`,
    ...(text ? [`${path}?filters[${text}][$containsi]=the&fields=${text}`] : []),
    ...(type.draftAndPublish ? [`${path}?status=draft&publicationFilter=never-published`] : []),
  ];
}

/** Three requests worth trying, on the demo's articles or whatever comes first. */
function examples(registry: Registry): readonly string[] {
  const types = [...registry.routes.values()];
  const collection = registry.routes.get('articles') ?? types.find(({ kind }) => kind === 'collectionType');
  const singles = types.filter(({ kind }) => kind === 'singleType').map(pathOf);
  return [...(collection ? examplesOf(collection) : []), ...singles].slice(0, 3);
}

function announce({ url }: DevServer, token: string, registry: Registry): void {
  print();
  print(`Edgewise serves ${url}`);
  print(`Read-only token: ${token}`);
  print();
  print('Try:');
  for (const path of examples(registry)) print(`  curl -g -H 'Authorization: Bearer ${token}' '${url}/api/${path}'`);
  print();
}

/** While it starts; what is started again later is stopped by `keepServing`. */
function stopOnSignals(server: DevServer): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
}

async function serve(root: string, flags: Flags): Promise<void> {
  await assertFree(flags.port);
  await prepareFiles(root, flags);
  progress('applying migrations to the local database …');
  reportMigrated(await migrate(flags), flags);
  const registry = registryOf(readSchemaFiles(root));
  const seeds = isPlanted(root, flags) ? [] : readSeeds(root, registry);
  const tables = seeds.map(({ type }) => type.table);
  const { demoToken, seedToken } = await prepareTokens(root, tables, flags);
  progress('starting wrangler dev …');
  const mail = relative(root, mailFile(root, flags));
  const mailbox = await openMailbox(mailFile(root, flags), () => progress(`an e-mail was written to ${mail}`));
  const start = () => startDevServer(flags.port, flags.persistTo, mailbox.url);
  const server = start();
  stopOnSignals(server);
  try {
    await untilReady(server);
    if (seedToken) await plant(root, server, seeds, seedToken, flags);
    else notePlanted(root, flags);
  } catch (error) {
    mailbox.close();
    await server.stop();
    throw error;
  }
  announce(server, demoToken, registry);
  print(`E-mails are written to ${mail}`);
  server.show(false);
  const watchers = watchSources(root, flags);
  process.exitCode = await keepServing(root, server, start);
  for (const watcher of watchers) watcher.close();
  mailbox.close();
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('expected 1 to 65535.');
  return port;
}

if (import.meta.main)
  await new Command('npm run dev --')
    .description('Generates, migrates the local database, plants the demo content once, and serves.')
    .option('--port <n>', 'port on 127.0.0.1', portOf, 8787)
    .option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state')
    .action((flags: Flags) => run(() => serve(process.cwd(), flags)))
    .parseAsync();
