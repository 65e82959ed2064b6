/**
 * @module Somebody who reads all the time, and counts what no reader should see.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface Reader {
  /** How many answers there were. */
  count(): number;
  /** What was no response, or one of 500 and above; 503 is documented for the moment after a rename. */
  stop(): Promise<readonly string[]>;
}

export function startReading(url: string): Reader {
  const failures: string[] = [];
  let count = 0;
  let stopped = false;
  const read = async () => {
    while (!stopped) {
      try {
        const answer = await fetch(url);
        const text = await answer.text();
        if (answer.status >= 500 && answer.status !== 503) failures.push(`${answer.status} ${text}`);
        count += 1;
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
      }
      await pause(25);
    }
  };
  const reading = read();
  return {
    count: () => count,
    async stop() {
      stopped = true;
      await reading;
      return failures;
    },
  };
}
