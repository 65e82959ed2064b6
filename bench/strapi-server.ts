/**
 * @module A Strapi of its own, with the content of a seeded database: installed from npm once, its content types put in,
 * its content brought by `npx edgewise export` and `strapi import`.
 */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../cli/core/local-server.ts';
import { headersOf, TOKEN } from './rows.ts';
import type { Scratch } from './scratch.ts';
import type { Server } from './server.ts';

const VERSION = '5.54.0';
const PROJECT = join(dirname(import.meta.dirname), '.scratch', 'bench-strapi');
const CONTENT_TYPES = join(import.meta.dirname, 'content-types');
const START_TIMEOUT = 120_000;
const MOST_OUTPUT = 100_000_000;

const run = promisify(execFile);

const SECRETS = [
  'API_TOKEN_SALT',
  'ADMIN_JWT_SECRET',
  'TRANSFER_TOKEN_SALT',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'APP_KEYS',
];

/** With the Node of the machine, for which npm builds what is not JavaScript, and not the one that npm brought here. */
const PATH = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));

const ENVIRONMENT = {
  ...process.env,
  PATH: PATH.join(delimiter),
  ...Object.fromEntries(SECRETS.map((name) => [name, `bench-${name}`])),
  CI: 'true',
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  STRAPI_TELEMETRY_DISABLED: 'true',
  BENCH_TOKEN: TOKEN,
};

/** Neither the panel nor its build. */
const ADMIN = `module.exports = ({ env }) => ({
  serveAdminPanel: false,
  auth: { secret: env('ADMIN_JWT_SECRET') },
  apiToken: { salt: env('API_TOKEN_SALT') },
  transfer: { token: { salt: env('TRANSFER_TOKEN_SALT') } },
  secrets: { encryptionKey: env('ENCRYPTION_KEY') },
});
`;

/** The token with which the product is asked is one of Strapi's too. */
const BOOTSTRAP = `module.exports = {
  async bootstrap({ strapi }) {
    const tokens = strapi.db.query('admin::api-token');
    const accessKey = strapi.service('admin::api-token').hash(process.env.BENCH_TOKEN);
    if (await tokens.findOne({ where: { accessKey } })) return;
    await tokens.create({ data: { name: 'bench', description: '', type: 'full-access', accessKey } });
  },
};
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(PROJECT, path)), { recursive: true });
  writeFileSync(join(PROJECT, path), text);
}

async function install(): Promise<void> {
  mkdirSync(dirname(PROJECT), { recursive: true });
  rmSync(PROJECT, { recursive: true, force: true });
  const choices = ['--js', '--use-npm', '--skip-cloud', '--skip-db', '--no-run', '--no-example', '--no-git-init'];
  const create = ['--yes', `create-strapi@${VERSION}`, 'bench-strapi', ...choices, '--no-install', '--non-interactive'];
  const env = { ...ENVIRONMENT, NODE_ENV: 'development' };
  await run('npx', create, { cwd: dirname(PROJECT), env, maxBuffer: MOST_OUTPUT });
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: PROJECT, env, maxBuffer: MOST_OUTPUT });
}

/** The default API of a content type, as Strapi's generator writes it. */
function writeApi(name: string): void {
  cpSync(join(CONTENT_TYPES, name), join(PROJECT, 'src/api', name, 'content-types', name), { recursive: true });
  for (const [part, folder] of [
    ['Controller', 'controllers'],
    ['Router', 'routes'],
    ['Service', 'services'],
  ]) {
    const factory = `require('@strapi/strapi').factories.createCore${part}('api::${name}.${name}')`;
    write(`src/api/${name}/${folder}/${name}.js`, `module.exports = ${factory};\n`);
  }
}

function writeProject(): void {
  for (const path of ['src/api', 'src/components', '.tmp', 'public/uploads'])
    rmSync(join(PROJECT, path), { recursive: true, force: true });
  for (const name of readdirSync(CONTENT_TYPES)) if (name !== 'components') writeApi(name);
  cpSync(join(CONTENT_TYPES, 'components'), join(PROJECT, 'src/components'), { recursive: true });
  for (const path of ['.tmp', 'public/uploads']) mkdirSync(join(PROJECT, path), { recursive: true });
  write('config/admin.js', ADMIN);
  write('src/index.js', BOOTSTRAP);
}

async function moveContent({ root }: Scratch, state: string): Promise<void> {
  const archive = join(root, 'content.tar.gz');
  cpSync(CONTENT_TYPES, join(root, 'content-types'), { recursive: true });
  const exporting = [join(root, 'cli/edgewise.mjs'), 'export', '--persist-to', state, '--file', archive];
  await run(process.execPath, exporting, { cwd: root, maxBuffer: MOST_OUTPUT });
  const importing = [strapi(), 'import', '--force', '--file', archive];
  await run('node', importing, { cwd: PROJECT, env: ENVIRONMENT, maxBuffer: MOST_OUTPUT });
}

const strapi = (): string => join(PROJECT, 'node_modules/@strapi/strapi/bin/strapi.js');

export interface Strapi extends Server {
  stop(): void;
}

async function start(): Promise<Strapi> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...ENVIRONMENT, PORT: String(port) };
  const child = spawn('node', [strapi(), 'start'], { cwd: PROJECT, env, stdio: 'ignore' });
  const stop = () => void child.kill('SIGKILL');
  process.on('exit', stop);
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end && child.exitCode === null; await sleep(500)) {
    const response = await fetch(`${url}/api/articles`, { headers: headersOf({ method: 'GET', path: '/' }) }).catch(
      () => undefined,
    );
    if (response?.ok && child.pid) return { url, direct: true, pid: child.pid, stop };
  }
  stop();
  throw new Error(`Strapi does not start: see ${PROJECT}`);
}

/**
 * Starts a Strapi with the content of the database under `state`.
 * @param report is told each step before it runs.
 * @throws Error where npm, the import or the start fails.
 */
export async function startStrapi(
  scratch: Scratch,
  state: string,
  report: (progress: string) => void,
): Promise<Strapi> {
  if (!existsSync(strapi())) {
    report(`installing Strapi ${VERSION} in ${PROJECT}: some minutes`);
    await install();
  }
  writeProject();
  report('moving the content: npx edgewise export, strapi import');
  await moveContent(scratch, state);
  report('starting Strapi');
  return start();
}
