/**
 * @module The minute in which requests are counted: the local counters begin anew with each minute of the clock.
 */
const MINUTE = 60_000;
const ENOUGH = 8_000;

/** Waits for the next minute when this one may end before a test does, which would begin to count again. */
export async function enoughOfTheMinute(): Promise<void> {
  const left = MINUTE - (Date.now() % MINUTE);
  if (left < ENOUGH) await new Promise((resolve) => setTimeout(resolve, left));
}
