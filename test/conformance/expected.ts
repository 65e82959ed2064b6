/**
 * @module The steps that are known to be answered otherwise than recorded: for good (`deliberate`, each with a line in
 * `docs/compatibility.md`), or until a feature is built (`pending`). Scenarios of `scenarios-lenient/` are called
 * `lenient/<name>`.
 */

/** Name of a step, or its index where a name would be unwieldy. */
export type StepKey = string | number;

export interface Deliberate {
  readonly scenario: string;
  readonly step: StepKey;
  /** Beginnings of the paths that may differ; a difference elsewhere is a failure. */
  readonly differs: readonly string[];
  readonly why: string;
}

/** Without `step` the whole scenario is pending. */
export interface Pending {
  readonly scenario: string;
  readonly step?: StepKey;
  readonly why: string;
}

export interface Expected {
  readonly deliberate: readonly Deliberate[];
  readonly pending: readonly Pending[];
}

const LIST = ['body.data', 'body.meta.pagination'];
const PRIVATE_SEARCH = '`_q` does not search private attributes: it would tell their content letter by letter';
const OLD_TOKEN = "a password change ends the user's older JWTs";

const search = (step: string): Deliberate => ({ scenario: 'search', step, differs: LIST, why: PRIVATE_SEARCH });
const oldToken = (step: string): Deliberate => ({
  scenario: 'users-auth',
  step,
  differs: ['status', 'body'],
  why: OLD_TOKEN,
});

export const EXPECTED: Expected = {
  deliberate: [
    search('GET /api/articles?fields=title&sort=title&_q=771234'),
    search('GET /api/articles?fields=title&sort=title&_q=private remark'),
    search('GET /api/authors?_q=hush'),
    oldToken('wrong current password'),
    oldToken('confirmation differs'),
    oldToken('the same password'),
    oldToken('empty change'),
    oldToken('the old JWT after a password change'),
  ],
  pending: [],
};
