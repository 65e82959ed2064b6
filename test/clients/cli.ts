/**
 * @module `npm run clients`: installs published clients that are too large for the tests, drives them unmodified against
 * a server with the demo content, and prints what works.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { ServedProject } from '../support/served-project.ts';
import { serveDemo } from './served-demo.ts';

interface Client {
  readonly name: string;
  readonly folder: string;
  /** One after the other, each a command of a shell. */
  readonly run: readonly string[];
  /** Of a whole build: what is printed when it is done. Else each line tells of one operation. */
  readonly built?: RegExp;
  /** Operations that do not work on Strapi 5.54 either. */
  readonly broken?: readonly string[];
}

const RA_BROKEN = [
  "getList: full-text filter q, as react-admin's SearchInput sends",
  'update of a demo article with relations, component, zone',
  'update of a localized type (categories)',
  'update of an author (blocks, repeatable component)',
  'create with a file (multipart with data)',
  'updateMany (sends no data envelope)',
  'getList of users',
];

const CLIENTS: readonly Client[] = [
  {
    name: 'openapi-fetch',
    folder: 'openapi',
    run: [
      'npx openapi-typescript "$OPENAPI" -o api.d.ts --default-non-nullable=false',
      'npx tsc --noEmit -p .',
      'node fetch-client.ts',
    ],
  },
  { name: 'ra-strapi', folder: 'react-admin', run: ['node ra-strapi.mjs'], broken: RA_BROKEN },
  {
    name: 'gatsby-source-strapi',
    folder: 'gatsby',
    run: ['node source-nodes.mjs'],
    broken: ['files and users (plugin types)'],
  },
  { name: 'gatsby', folder: 'gatsby', run: ['npx gatsby build'], built: /Done building in/ },
  {
    name: 'strapi-community-astro-loader',
    folder: 'astro-community',
    run: ['npx astro build'],
    built: /\d+ page\(s\) built/,
  },
  {
    name: '@sensinum/astro-strapi-loader',
    folder: 'astro-sensinum',
    run: ['node ../lib/without.mjs related,wordsWritten npx astro build'],
    built: /\d+ page\(s\) built/,
  },
];

const LARGER = join(import.meta.dirname, 'larger');
const INSTALL = 'npm install --legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=error';

interface Outcome {
  readonly client: string;
  readonly operation: string;
  readonly result: string;
  readonly failed: boolean;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const progress = (text: string): void => void process.stderr.write(`... ${text}\n`);

async function shell(command: string, folder: string, demo: ServedProject) {
  const env = {
    ...process.env,
    EDGEWISE_URL: demo.url,
    EDGEWISE_TOKEN: demo.token,
    OPENAPI: join(demo.folder, 'openapi.json'),
    ASTRO_TELEMETRY_DISABLED: '1',
    GATSBY_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
  };
  const child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { output, succeeded: code === 0 };
}

function operationsOf({ name, broken = [] }: Client, output: string): readonly Outcome[] {
  return [...output.matchAll(/^(ok|fails) (.*)$/gm)].map(([, state, text = '']) => {
    const known = broken.find((operation) => text.startsWith(operation));
    const works = state === 'ok';
    const result = works ? 'works' : known !== undefined ? 'fails, on Strapi too' : 'FAILS';
    return { client: name, operation: text, result, failed: !works && known === undefined };
  });
}

const whole = ({ name }: Client, operation: string, works: boolean): Outcome => ({
  client: name,
  operation,
  result: works ? 'works' : 'FAILS',
  failed: !works,
});

async function drive(client: Client, folder: string, demo: ServedProject): Promise<readonly Outcome[]> {
  const path = join(folder, client.folder);
  progress(`installing ${client.name} …`);
  const installed = await shell(INSTALL, path, demo);
  if (!installed.succeeded) return [whole(client, `install: ${installed.output.slice(0, 200)}`, false)];
  const outcomes: Outcome[] = [];
  for (const command of client.run) {
    progress(command);
    const { output, succeeded } = await shell(command, path, demo);
    const told = operationsOf(client, output);
    outcomes.push(...told);
    const works = succeeded && (client.built?.test(output) ?? true);
    if (told.length === 0 || !works) outcomes.push(whole(client, command, works));
    if (!works) progress(output.slice(-2_000));
  }
  return outcomes;
}

function table(outcomes: readonly Outcome[]): string {
  const widest = (key: 'client' | 'result') => Math.max(...outcomes.map((outcome) => outcome[key].length));
  const line = ({ client, operation, result }: Outcome) =>
    `${client.padEnd(widest('client'))}  ${result.padEnd(widest('result'))}  ${operation}`;
  return outcomes.map(line).join('\n');
}

async function clients({ only }: { readonly only?: string }): Promise<void> {
  const chosen = CLIENTS.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0)
    throw new Error(`no client ${only}; there are ${CLIENTS.map(({ name }) => name).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-clients-'));
  cpSync(LARGER, folder, { recursive: true });
  progress('serving the demo …');
  const demo = await serveDemo();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demo.stop());
  try {
    const outcomes: Outcome[] = [];
    for (const client of chosen) outcomes.push(...(await drive(client, folder, demo)));
    print(table(outcomes));
    const failed = outcomes.filter((outcome) => outcome.failed).length;
    print(`${outcomes.length - failed} as on Strapi 5.54, ${failed} not`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await new Command('npm run clients --')
  .description('Drives published clients, unmodified, against the demo.')
  .option('--only <name>', 'this client alone, such as ra-strapi')
  .action(clients)
  .parseAsync();
