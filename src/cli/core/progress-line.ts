/**
 * @module How far a command has come: on a terminal one line that changes, else a line for each stage.
 */
import { progress } from './terminal.ts';

export interface ProgressLine {
  /** Bytes that were read of the file; said at most ten times a second. */
  advance(bytes: number): void;
  /** Counts of the stage. */
  count(rows: number): void;
  done(text: string): void;
}

const EVERY = 100;
const MEGABYTE = 1_000_000;

const seconds = (milliseconds: number): string => {
  const left = Math.ceil(milliseconds / 1000);
  return left < 90 ? `${left} s` : `${Math.ceil(left / 60)} min`;
};

/** @param total bytes of the file; 0 where there is no end in sight. */
export function progressLine(stage: string, total: number): ProgressLine {
  const start = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  let bytes = 0;
  let rows = 0;
  let last = 0;
  const show = (): void => {
    const now = Date.now();
    if (!isTerminal || now - last < EVERY) return;
    last = now;
    const share = total > 0 ? Math.min(bytes / total, 1) : 0;
    const left = share > 0.02 ? `, ${seconds(((now - start) * (1 - share)) / share)} left` : '';
    const size = total > 0 ? `, ${(bytes / MEGABYTE).toFixed(1)} of ${(total / MEGABYTE).toFixed(1)} MB` : '';
    process.stderr.write(`\r\x1b[K${stage}: ${rows.toLocaleString('en')}${size}${left}`);
  };
  return {
    advance(more) {
      bytes += more;
      show();
    },
    count(more) {
      rows += more;
      show();
    },
    done(text) {
      if (isTerminal) process.stderr.write('\r\x1b[K');
      progress(`${text} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    },
  };
}
