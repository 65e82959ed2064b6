/**
 * @module How far a stage of a command is: on a terminal one line with a bar that changes, elsewhere a line every ten
 * seconds. At its end, a line says what was done and how long it took.
 */
import { counted, megabytes } from './counted.ts';
import { hideStatus, progress, showStatus, styled } from './terminal.ts';

export interface Stage {
  /** What is being done, such as "reading the archive". */
  readonly name: string;
  /** One of what `count` counts, such as "row". */
  readonly thing?: string;
  /** Bytes that `advance` will have counted at the end, if known. */
  readonly bytes?: number;
}

/** Milliseconds between two texts. */
const ON_TERMINAL = 100;
const ELSEWHERE = 10_000;

/** Milliseconds over which the rate is measured, and before which no time is predicted. */
const WINDOW = 10_000;
const MIN_TIME = 1_000;
const WIDTH = 24;

/** "42 s", "3 min". */
function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** "2.0 s", "3 min". */
const elapsedText = (milliseconds: number): string =>
  milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(1)} s` : durationText(milliseconds);

/** `share` from 0 to 1. */
function barText(share: number): string {
  const full = Math.floor(share * WIDTH);
  return `${styled('green', '█'.repeat(full))}${styled('dim', '░'.repeat(WIDTH - full))}`;
}

/** Measures what is done a second, over the last ten. */
function newMeter(start: number) {
  const first = { at: start, done: 0 };
  const samples = [first];
  return (at: number, done: number): number => {
    const before = samples.findLast((sample) => sample.at <= at - WINDOW) ?? first;
    samples.push({ at, done });
    return at > before.at ? ((done - before.done) / (at - before.at)) * 1000 : 0;
  };
}

/** Starts a stage. `now` is the clock, in milliseconds. */
export function progressLine({ name, thing, bytes }: Stage, now: () => number = Date.now) {
  const isTerminal = process.stderr.isTTY === true;
  const start = now();
  const meter = newMeter(start);
  const countsThings = bytes === undefined && thing !== undefined;
  let [readBytes, counts, last] = [0, 0, isTerminal ? 0 : start];

  const text = (at: number): string => {
    const rate = meter(at, countsThings ? counts : readBytes);
    const share = bytes ? Math.min(readBytes / bytes, 1) : undefined;
    const isMeasured = at - start >= MIN_TIME;
    const left = bytes && rate > 0 ? (Math.max(bytes - readBytes, 0) / rate) * 1000 : undefined;
    const parts = [
      share !== undefined && `${Math.floor(share * 100)} %`,
      thing !== undefined && counted(counts, thing),
      readBytes > 0 && (bytes ? `${megabytes(readBytes)} of ${megabytes(bytes)}` : megabytes(readBytes)),
      isMeasured && (countsThings ? `${Math.round(rate).toLocaleString('en')}/s` : `${megabytes(rate)}/s`),
      isMeasured && left !== undefined && `${durationText(left)} left`,
    ];
    const bar = isTerminal && share !== undefined ? ` ${barText(share)} ` : ' ';
    return `${name}:${bar}${parts.filter((part) => part !== false).join(', ')}`;
  };

  const show = (): void => {
    const at = now();
    if (at - last < (isTerminal ? ON_TERMINAL : ELSEWHERE)) return;
    last = at;
    if (isTerminal) showStatus(text(at));
    else progress(text(at));
  };

  return {
    /** Adds bytes that were read or copied. */
    advance(more: number): void {
      readBytes += more;
      show();
    },
    /** Adds things of the stage, such as rows. */
    count(more: number): void {
      counts += more;
      show();
    },
    /** @param what a verb and what was done, such as "imported 2 rows"; absent: the stage ends without a line */
    done(what?: string): void {
      hideStatus();
      if (what !== undefined) progress(`${what} in ${elapsedText(now() - start)}`);
    },
  };
}

export type ProgressLine = ReturnType<typeof progressLine>;
