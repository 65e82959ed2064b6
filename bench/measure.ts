/**
 * @module Rounds of load, product and hand-written Worker by turns, and the figures they come to.
 */
import { type Round, runRound } from './load.ts';
import { median } from './median.ts';
import type { BenchRow } from './rows.ts';
import type { Server } from './server.ts';

export interface Effort {
  readonly connections: number;
  /** How often both servers are started: two processes of the same Worker differ for as long as they live. */
  readonly lives: number;
  /** In each life. */
  readonly rounds: number;
  /** Of each round. */
  readonly seconds: number;
  /** Of the rounds before the first that counts. */
  readonly warmup: number;
}

export interface Pair<T> {
  readonly product: T;
  readonly handwritten: T;
}

export interface Side {
  /** Medians of the rounds. */
  readonly perSecond: number;
  readonly p50: number;
  /** Milliseconds of the runtime's CPU per request. */
  readonly cpu: number | undefined;
  readonly rounds: readonly Round[];
}

export interface Comparison extends Pair<Side> {
  /** Median over the rounds of product / hand-written, in requests per second. */
  readonly speed: number;
  /** Median of hand-written / product, in CPU per request: like `speed`, 1 is as good and less is worse. */
  readonly cpu: number | undefined;
}

const cpuOf = ({ cpu, requests }: Round): number => (cpu === undefined ? Number.NaN : cpu / requests);

/** The median, or undefined where there is nothing to take it of. */
function known(values: readonly number[]): number | undefined {
  const middle = median(values);
  return Number.isFinite(middle) ? middle : undefined;
}

export const sideOf = (rounds: readonly Round[]): Side => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50: median(rounds.map(({ p50 }) => p50)),
  cpu: known(rounds.map(cpuOf)),
  rounds,
});

/** What rounds of both, by turns, come to. */
export const comparisonOf = (rounds: readonly Pair<Round>[]): Comparison => ({
  product: sideOf(rounds.map(({ product }) => product)),
  handwritten: sideOf(rounds.map(({ handwritten }) => handwritten)),
  speed: median(rounds.map(({ product, handwritten }) => product.perSecond / handwritten.perSecond)),
  cpu: known(rounds.map(({ product, handwritten }) => cpuOf(handwritten) / cpuOf(product))),
});

/** Rounds of one server, after a warm-up. */
export async function loadOne(server: Server, row: BenchRow, size: number, effort: Effort): Promise<readonly Round[]> {
  const requests = row.requests(size);
  await runRound(server, requests, { ...effort, seconds: effort.warmup });
  const rounds: Round[] = [];
  for (let round = 0; round < effort.rounds; round += 1) rounds.push(await runRound(server, requests, effort));
  return rounds;
}

/** One round of each. Which goes first changes from round to round, so that a machine that slows down slows both. */
async function runBoth(
  servers: Pair<Server>,
  requests: ReturnType<BenchRow['requests']>,
  effort: Effort,
  round: number,
): Promise<Pair<Round>> {
  if (round % 2 === 0) {
    const product = await runRound(servers.product, requests, effort);
    return { product, handwritten: await runRound(servers.handwritten, requests, effort) };
  }
  const handwritten = await runRound(servers.handwritten, requests, effort);
  return { product: await runRound(servers.product, requests, effort), handwritten };
}

/**
 * Rounds of both, after a warm-up of each.
 * @param life which of the servers' lives this is, from 0.
 * @param report is told the number of each round before it runs; 0 is the warm-up.
 */
export async function loadBoth(
  servers: Pair<Server>,
  row: BenchRow,
  size: number,
  effort: Effort,
  life: number,
  report: (round: number) => void,
): Promise<readonly Pair<Round>[]> {
  const requests = row.requests(size);
  report(0);
  await runBoth(servers, requests, { ...effort, seconds: effort.warmup }, life);
  const rounds: Pair<Round>[] = [];
  for (let round = 1; round <= effort.rounds; round += 1) {
    report(round);
    rounds.push(await runBoth(servers, requests, effort, life + round));
  }
  return rounds;
}
