import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { progressLine, type Stage } from '../../../../cli/core/progress-line.ts';
import { hideStatus, print, progress } from '../../../../cli/core/terminal.ts';

let written = '';
let clock = 0;
const { isTTY } = process.stderr;
const noColor = process.env.NO_COLOR;

beforeEach(() => {
  [written, clock] = ['', 1_000_000];
  process.env.NO_COLOR = '1';
  for (const stream of [process.stderr, process.stdout])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
});
afterEach(() => {
  hideStatus();
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
  if (noColor === undefined) delete process.env.NO_COLOR;
  else process.env.NO_COLOR = noColor;
});

function startOn(isTerminal: boolean, stage: Stage) {
  process.stderr.isTTY = isTerminal;
  const line = progressLine(stage, () => clock);
  return {
    ...line,
    /** Reads bytes and counts a row, so many milliseconds later. */
    after(milliseconds: number, bytes: number) {
      clock += milliseconds;
      line.advance(bytes);
      line.count(1);
    },
  };
}

/** The texts that were shown on the line, without what controls the terminal. */
const shown = () => stripVTControlCharacters(written).split('\r');

const STAGE: Stage = { name: 'importing', thing: 'row', bytes: 10_000_000 };

describe('a progress line on a terminal', () => {
  it('has a bar, a count, a rate and the time that is left at this rate', () => {
    const line = startOn(true, STAGE);
    for (let second = 0; second < 5; second += 1) line.after(1_000, 1_000_000);
    expect(shown().at(-1)).toBe(
      `importing: ${'█'.repeat(12)}${'░'.repeat(12)} 50 %, 4 rows, 5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left`,
    );
  });

  it('predicts by the rate of the last ten seconds', () => {
    const line = startOn(true, STAGE);
    line.after(1_000, 5_000_000);
    for (let second = 0; second < 20; second += 1) line.after(1_000, 100_000);
    expect(shown().at(-1)).toMatch(/70 %.*0\.1 MB\/s, 30 s left/);
  });

  it('is cleared before any other text', () => {
    const line = startOn(true, STAGE);
    line.after(200, 1);
    written = '';
    progress('a warning');
    print('a result');
    expect(written).toBe('\r\x1b[Ka warning\na result\n');
  });

  it('has colours, and none with NO_COLOR', () => {
    startOn(true, STAGE).after(200, 1_000_000);
    expect(written).not.toContain('\x1b[3');
    delete process.env.NO_COLOR;
    startOn(true, STAGE).after(200, 1_000_000);
    expect(written).toContain('\x1b[32m');
  });
});

describe('progress without a terminal', () => {
  it('is a line every ten seconds, and one at the end', () => {
    const line = startOn(false, STAGE);
    for (let second = 0; second < 25; second += 1) line.after(1_000, 100_000);
    line.done('imported 25 rows');
    expect(written.split('\n')).toEqual([
      'importing: 10 %, 9 rows, 1.0 MB of 10.0 MB, 0.1 MB/s, 2 min left',
      expect.stringMatching(/^importing: (19|20) %/),
      'imported 25 rows in 25.0 s',
      '',
    ]);
  });

  it('counts things where the bytes are not known, and ends without a line where nothing was done', () => {
    const line = startOn(false, { name: 'importing links', thing: 'link' });
    clock += 20_000;
    line.count(40);
    expect(written).toBe('importing links: 40 links, 2/s\n');
    line.done();
    expect(written).toBe('importing links: 40 links, 2/s\n');
  });
});
