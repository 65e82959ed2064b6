/**
 * @module The plurals of English messages.
 */

const RULES = new Intl.PluralRules('en');

/** Returns the form that goes with a number: `plural(2, 'file')` is `files`. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  RULES.select(count) === 'one' ? one : several;
