/**
 * @module A value of a global setup that is not there yet when the first tests run: it goes through a file, so that a server
 * starts beside the tests of other projects.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Writes the value, or why there is none, to the file once it is there. */
export function lateValue(value: Promise<object>) {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-late-'));
  const file = join(folder, 'value.json');
  const tell = (said: object) => {
    writeFileSync(`${file}.new`, JSON.stringify(said));
    renameSync(`${file}.new`, file);
  };
  const told = value.then(
    (found) => tell({ value: found }),
    (error) => tell({ error: String(error) }),
  );
  return {
    file,
    async remove(): Promise<void> {
      await told;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits for the value in a file. @throws Error if there is none */
export async function readLate<T>(file: string): Promise<T> {
  while (!existsSync(file)) await pause(100);
  const { value, error } = JSON.parse(readFileSync(file, 'utf8')) as { readonly value?: T; readonly error?: string };
  if (value === undefined) throw new Error(error);
  return value;
}
