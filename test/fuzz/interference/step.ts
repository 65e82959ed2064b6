/**
 * @module The steps of a sequence, with those that change what is hidden.
 */
import type { Step as PlainStep } from '../../generators/step.ts';
import type { Change } from './secrets.ts';

/** A step, and the feature that it uses. */
export type Step = (
  | PlainStep
  /** What is hidden changes, in each world on its own. */
  | { readonly kind: 'hidden'; readonly changes: readonly [readonly Change[], readonly Change[]] }
) & { readonly surface?: string };

/** One line for each step, for the report of a counterexample. */
export function described(step: Step): string {
  if (step.kind === 'hide' || step.kind === 'cron') return step.kind;
  if (step.kind === 'hidden') return `hidden: ${JSON.stringify(step.changes)}`;
  const { method, path, headers, json, form, isPreview } = step.request;
  const by = step.kind === 'other' ? ` by ${step.caller}` : isPreview ? ' as a preview' : '';
  return [`${method} ${path}${by}`, ...[headers, json, form].flatMap((part) => (part ? [JSON.stringify(part)] : []))]
    .join(' ')
    .slice(0, 2_000);
}
