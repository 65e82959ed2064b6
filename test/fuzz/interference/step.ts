/**
 * @module The steps of a sequence: requests of the caller, and what happens beside them.
 */
import type { Change } from './secrets.ts';
import type { Part } from './world.ts';

/** A request with placeholders: `{anna}` and `{story1/en/draft}` are numeric ids, `{new}` and the like were seen before. */
export interface Planned {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: readonly Part[];
  /** Without the credential of the caller: what is hidden from a caller is hidden from the public, too. */
  readonly asPublic?: boolean;
}

type Kind =
  /** Its responses have to be alike. */
  | { readonly kind: 'request'; readonly request: Planned }
  /** The same request by another caller, which fills caches; its responses may differ. */
  | { readonly kind: 'other'; readonly request: Planned; readonly caller: string }
  /** What is hidden changes, in each world on its own. */
  | { readonly kind: 'hidden'; readonly changes: readonly [readonly Change[], readonly Change[]] }
  /** The last document that the caller created is hidden from all. */
  | { readonly kind: 'hide' }
  /** The cron trigger fires. */
  | { readonly kind: 'cron' };

/** A step, and the surface that it uses. */
export type Step = Kind & { readonly surface?: string };

export const requested = (request: Planned): Step => ({ kind: 'request', request });

/** One line for each step, for the report of a counterexample. */
export function described(step: Step): string {
  if (step.kind === 'hide' || step.kind === 'cron') return step.kind;
  if (step.kind === 'hidden') return `hidden: ${JSON.stringify(step.changes)}`;
  const { method, path, headers, json, form } = step.request;
  const by = step.kind === 'other' ? ` by ${step.caller}` : '';
  return [`${method} ${path}${by}`, ...[headers, json, form].flatMap((part) => (part ? [JSON.stringify(part)] : []))]
    .join(' ')
    .slice(0, 2_000);
}
