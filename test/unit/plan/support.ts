/**
 * @module From a query string to the plan of a read, and what it is refused with.
 */
import { parseSettings, type Settings } from '../../../src/config.ts';
import { ApiError, type ErrorBody, toErrorBody } from '../../../src/errors.ts';
import { planList, planOne } from '../../../src/plan/plan-read.ts';
import type { Condition, ReadPlan } from '../../../src/plan/read-plan.ts';
import type { ContentType } from '../../../src/registry/model.ts';
import { parseQueryParams } from '../../../src/request/query-params.ts';
import { parseQueryString } from '../../../src/request/query-string.ts';

export const settings = parseSettings({});
const MAY_READ_DRAFTS = { mayReadDrafts: true };

/** The plan of `GET /api/<type>?<search>`. */
export function listPlan(type: ContentType, search: string, own: Settings = settings): ReadPlan {
  const params = parseQueryParams(parseQueryString(search, own.api.rest.limits), 'list', own);
  return planList(params, type, MAY_READ_DRAFTS, own);
}

/** The plan of `GET /api/<type>/abc?<search>`. */
export function onePlan(type: ContentType, search: string, own: Settings = settings): ReadPlan {
  const params = parseQueryParams(parseQueryString(search, own.api.rest.limits), 'one', own);
  return planOne(params, type, 'abc', MAY_READ_DRAFTS, own);
}

/** The error that the client is answered with. */
export function refusal(attempt: () => unknown): ErrorBody['error'] {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ApiError) return toErrorBody(error.problem).error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A condition as a short text: `and(title $eq "a", not(weight $gt 5))`. */
export function printCondition(condition: Condition | undefined): string {
  switch (condition?.kind) {
    case undefined:
      return '-';
    case 'and':
    case 'or':
      return `${condition.kind}(${condition.conditions.map(printCondition).join(', ')})`;
    case 'not':
      return `not(${printCondition(condition.condition)})`;
    case 'compare': {
      const operands = condition.operands.map((operand) => JSON.stringify(operand)).join(' ');
      return `${condition.attribute.name} ${condition.operator} ${operands}`;
    }
    case 'null':
      return `${condition.attribute.name} is ${condition.is ? 'null' : 'not null'}`;
    default:
      return condition?.kind ?? '';
  }
}
