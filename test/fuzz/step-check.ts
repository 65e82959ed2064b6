/**
 * @module Steps that are sent to a world, and what must hold of each response.
 */
import type { Registry } from '../../src/schema/model.ts';
import { note, resolved, type Step } from '../generators/step.ts';
import type { Send } from '../support/app.ts';
import { problemWith } from './invariants.ts';
import { callerOf } from './shots.ts';
import { rememberAnswer, withDocuments } from './world.ts';

export interface StepWorld {
  readonly registry: Registry;
  readonly send: Send;
  readonly fireCron: () => Promise<void>;
}

/** Longer than a stored response may be. */
const HUGE = 'x'.repeat(500_001);

/**
 * Returns a function that takes a step, and returns the status of its response.
 * @throws Error for a response that must not be
 */
export function stepCheck({ registry, send, fireCron }: StepWorld) {
  const seen = new Map<string, string>();
  const placed = (name: string): string =>
    name === 'huge' ? HUGE : (seen.get(name) ?? (/\d/.test(name) ? '9999' : 'nothing'));

  return async (step: Step, authorization: string): Promise<number> => {
    if (step.kind === 'cron') await fireCron();
    if (step.kind !== 'request' && step.kind !== 'other') return 204;
    const { request } = step;
    const by = step.kind === 'other' ? `Bearer ${step.caller}` : request.asPublic ? '' : authorization;
    const token = request.isPreview ? `Bearer ${seen.get('preview')}` : by;
    const { method, path, headers, body } = resolved(request, placed);
    const sent = body && withDocuments(body);
    const response = await send(withDocuments(path), {
      method,
      headers: { ...headers, ...(token && { authorization: token }) },
      ...(sent && { body: sent }),
    });
    const text = await response.clone().text();
    const caller = request.isPreview ? 'everything' : callerOf({ authorization: token });
    const problem = await problemWith(response, method, caller);
    if (problem) throw new Error(`${problem}\n${caller}: ${method} ${path.slice(0, 2_000)}\n${sent?.slice(0, 2_000)}`);
    note(request, response, text, seen);
    const made = method === 'POST' && response.ok && registry.routes.get(path.split(/[/?]/)[2] ?? '');
    if (made) rememberAnswer(made.uid, JSON.parse(text));
    return response.status;
  };
}
