/**
 * @module `npm run conformance`: serves a corpus' content model from a scratch copy of the project, over HTTP, and
 * replays its recordings.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { freePort } from '../../cli/core/local-server.ts';
import type { Client } from './client.ts';
import type { Level } from './compare.ts';
import { fixtureReader, isLenient, OWN_CORPUS, readScenarios, readSetup, readTargets } from './corpus.ts';
import { EXPECTED } from './expected.ts';
import { httpFetch } from './http-fetch.ts';
import { originsOf, type Scenario } from './recording.ts';
import { scenarioLines, totalLines } from './report.ts';
import { type ResetTarget, reset } from './reset.ts';
import { runScenario } from './run.ts';
import { makeScratch, removeScratch } from './scratch.ts';
import { createToken, killEverything, runCommand, startServer, stopEverything } from './server.ts';
import { parseSetup, type Setup, settingsOf } from './settings.ts';
import { judge, totals, type Verdict } from './verdict.ts';

interface Flags {
  readonly only?: readonly string[];
  readonly corpus?: string;
  readonly scenarios?: string;
  readonly level: Level;
  readonly verbose?: boolean;
  readonly port?: number;
}

/** Everything that a replay takes from the disk. */
interface Recorded {
  readonly corpus: string;
  readonly setup: Setup;
  readonly scenarios: readonly Scenario[];
  readonly targets: readonly ResetTarget[];
  readonly lenient: boolean;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const progress = (text: string): void => void process.stderr.write(`... ${text}\n`);

/** Without `--corpus` a folder of scenarios belongs to the corpus that it lies in, if to any. */
function corpusOf({ corpus, scenarios }: Flags): string {
  if (corpus !== undefined) return resolve(corpus);
  const around = dirname(resolve(scenarios ?? join(OWN_CORPUS, 'scenarios')));
  return existsSync(join(around, 'setup.json')) ? around : OWN_CORPUS;
}

function readRecorded(flags: Flags): Recorded {
  const corpus = corpusOf(flags);
  const folder = resolve(flags.scenarios ?? join(corpus, 'scenarios'));
  return {
    corpus,
    setup: parseSetup(readSetup(corpus)),
    scenarios: readScenarios(folder, flags.only),
    targets: readTargets(corpus),
    lenient: isLenient(folder),
  };
}

/** Brings a scratch copy to the point where it can be served; returns the tokens by alias. */
async function prepare(folder: string, { apiTokens }: Setup): Promise<Readonly<Record<string, string>>> {
  progress('generating');
  await runCommand(folder, 'generate');
  progress('migrating');
  await runCommand(folder, 'migrate');
  const tokens: Record<string, string> = {};
  for (const [alias, token] of Object.entries(apiTokens)) {
    progress(`creating the token '${alias}'`);
    tokens[alias] = await createToken(folder, alias, token);
  }
  return tokens;
}

/** Empties the server; false when it cannot be emptied, which is told. The replay goes on all the same. */
async function emptied(client: Client, targets: readonly ResetTarget[]): Promise<boolean> {
  try {
    await reset(client, targets);
    return true;
  } catch (error) {
    print(`     ${(error as Error).message}`);
    return false;
  }
}

/** Replays and prints everything; true when nothing failed. */
async function replay(client: Client, recorded: Recorded, { level, verbose }: Flags): Promise<boolean> {
  const verdicts: Verdict[] = [];
  let clean = true;
  for (const scenario of recorded.scenarios) {
    clean = (await emptied(client, recorded.targets)) && clean;
    const key = recorded.lenient ? `lenient/${scenario.name}` : scenario.name;
    const verdict = judge(await runScenario(client, scenario, level), EXPECTED, key);
    for (const line of scenarioLines(verdict, verbose)) print(line);
    verdicts.push(verdict);
  }
  const sum = totals(verdicts);
  for (const line of totalLines(sum)) print(line);
  return clean && sum.failed === 0 && sum.passed > 0;
}

/** However the process ends, also by Ctrl-C or when nobody reads its output any more: no server, no scratch copy. */
function leaveNothingBehind(folder: string): void {
  process.once('exit', () => {
    killEverything();
    removeScratch(folder);
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));
  process.stdout.once('error', () => process.exit(1));
}

async function main(flags: Flags): Promise<void> {
  const recorded = readRecorded(flags);
  const { corpus, setup, scenarios, lenient } = recorded;
  progress('copying the project');
  const folder = makeScratch(corpus, settingsOf(setup, { origins: originsOf(scenarios), lenient }));
  leaveNothingBehind(folder);
  try {
    const tokens = await prepare(folder, setup);
    progress('starting the server');
    const base = await startServer(folder, flags.port ?? (await freePort()));
    progress(`replaying ${scenarios.length} scenario(s) on ${base}`);
    const client = { fetch: httpFetch, base, tokens, fixture: fixtureReader(corpus) };
    process.exitCode = (await replay(client, recorded, flags)) ? 0 : 1;
  } finally {
    await stopEverything();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('expected 1 to 65535.');
  return port;
}

const program = new Command('npm run conformance --')
  .description('Replays recordings of the reference server against Edgewise, over HTTP.')
  .option('--only <names>', 'scenarios to replay, separated by commas', (text) => text.split(','))
  .option('--corpus <dir>', 'folder with content-types/, setup.json, scenarios/ and fixtures/')
  .option('--scenarios <dir>', "another folder of scenarios; scenarios-lenient is served without the 'strict' settings")
  .addOption(new Option('--level <level>', 'how much is compared').choices(['strict', 'core']).default('strict'))
  .option('--verbose', 'passing steps, deliberate differences and longer diffs too')
  .option('--port <n>', 'port to serve on; a free one by default', portOf)
  .action((flags: Flags) =>
    main(flags).catch((error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 2;
    }),
  );

await program.parseAsync();
