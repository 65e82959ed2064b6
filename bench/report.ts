/**
 * @module Figures → the table, the JSON file, and what is said meanwhile.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, platform } from 'node:os';
import { join } from 'node:path';
import type { DatabaseCost } from './database-cost.ts';
import type { Comparison, Effort, Side } from './measure.ts';

export interface Figure extends Comparison {
  readonly size: number;
  readonly row: string;
  readonly title: string;
  readonly database: { readonly product: DatabaseCost; readonly handwritten: DatabaseCost };
}

export interface Floor extends Side {
  readonly size: number;
}

interface Megabytes {
  readonly product: number | undefined;
  readonly handwritten: number | undefined;
}

/** Of the runtimes, before the first row and after the last. */
export interface Memory {
  readonly size: number;
  readonly before: Megabytes;
  readonly after: Megabytes;
}

export interface Report {
  readonly effort: Effort;
  /** Was the runtime asked directly, or through Wrangler's proxy? */
  readonly direct: boolean;
  /** Processes that wanted a processor in the minute before the benchmark. */
  readonly load: number;
  readonly figures: readonly Figure[];
  readonly floors: readonly Floor[];
  readonly memories: readonly Memory[];
}

const RESULTS = join(import.meta.dirname, 'results');

export const fixed = (value: number | undefined, digits: number): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
export const pair = (left: number | undefined, right: number | undefined, digits: number): string =>
  `${fixed(left, digits)} / ${fixed(right, digits)}`;

const HEAD = ['documents', 'row', 'requests/s', 'ratio', 'p50 ms', 'CPU ms', 'ratio', 'trips', 'rows read', 'written'];

function cellsOf({ size, title, product, handwritten, speed, cpu, database }: Figure): readonly string[] {
  const { product: own, handwritten: other } = database;
  return [
    size.toLocaleString('en'),
    title,
    pair(product.perSecond, handwritten.perSecond, 0),
    fixed(speed, 2),
    pair(product.p50, handwritten.p50, 1),
    pair(product.cpu, handwritten.cpu, 2),
    fixed(cpu, 2),
    pair(own.roundTrips, other.roundTrips, 0),
    pair(own.rowsRead, other.rowsRead, 0),
    pair(own.rowsWritten, other.rowsWritten, 0),
  ];
}

export function alignedTable(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const align = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)));
  return lines.map((cells) => align(cells).join('  ').trimEnd()).join('\n');
}

/** The table, with what its columns mean. */
export function tableOf({ figures, floors, memories, direct, effort, load }: Report): string {
  const floor = floors.map(
    ({ size, cpu, p50 }) => `${size.toLocaleString('en')}: ${fixed(cpu, 2)} (p50 ${fixed(p50, 1)})`,
  );
  const notes = [
    `product / hand-written; ratios: 1 is as good as hand-written, less is worse. ${effort.lives} lives of both servers with ${effort.rounds} rounds of ${effort.seconds} s, ${effort.connections} connections,`,
    `medians; CPU is that of the runtime (Worker, D1 and SQLite) per request${direct ? '' : '; asked through the proxy of wrangler dev'}.`,
    `CPU ms of one batch of \`select 1\`, the platform's part of every figure: ${floor.join(', ')}.`,
  ];
  for (const { size, before, after } of memories)
    notes.push(
      `Memory of the runtimes at ${size.toLocaleString('en')}, MB: ${pair(before.product, before.handwritten, 0)} before, ${pair(after.product, after.handwritten, 0)} after.`,
    );
  if (load > cpus().length / 2) notes.push(`The machine was busy with something else (load ${fixed(load, 1)}).`);
  return `${alignedTable([HEAD, ...figures.map(cellsOf)])}\n\n${notes.join('\n')}\n`;
}

function withoutSql({ database, ...figure }: Figure) {
  const { statements: _, ...product } = database.product;
  const { statements: __, ...handwritten } = database.handwritten;
  return { ...figure, database: { product, handwritten } };
}

/** Writes figures under a name, by default the time. @returns the path of the file. */
export function writeFigures(figures: object, now: Date, name = now.toISOString().replaceAll(':', '-')): string {
  const machine = { platform: platform(), cpus: cpus().length, model: cpus()[0]?.model };
  mkdirSync(RESULTS, { recursive: true });
  const path = join(RESULTS, `${name}.json`);
  writeFileSync(path, `${JSON.stringify({ at: now.toISOString(), machine, ...figures }, undefined, 2)}\n`);
  return path;
}

/** Writes everything, each round included, under the name of a release or the time. @returns the path of the file. */
export const writeResults = (report: Report, now: Date, release?: string): string =>
  writeFigures(release ? { ...report, figures: report.figures.map(withoutSql) } : report, now, release);

/** Progress on stderr: one line that is overwritten on a terminal, else only what begins something new. */
export function progress(text: string, { minor = false } = {}): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (!minor) process.stderr.write(`${text}\n`);
}

export const endProgress = (): void => progress('', { minor: true });
