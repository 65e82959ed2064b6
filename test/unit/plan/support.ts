/**
 * @module From a query string to the plan of a read, and what it is refused with.
 */
import { EVERYTHING, type Grants } from '../../../src/access/grants.ts';
import { ApiError, type ErrorBody, toErrorBody } from '../../../src/common/errors.ts';
import type { Condition, ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import { planList, planOne, type Reader } from '../../../src/content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { parseSettings, type Settings } from '../../../src/schema/settings/config.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';

const defaults = parseSettings({});

export interface ReaderOptions {
  readonly settings?: Settings;
  readonly registry?: Registry;
  readonly grants?: Grants;
}

/** Somebody who may do everything, unless something else is said. */
export const readerOf = ({
  settings = defaults,
  registry = recordedRegistry,
  grants = EVERYTHING,
}: ReaderOptions): Reader => ({ registry, settings, grants });

/** The plan of `GET /api/<type>?<search>`. */
export function listPlan(type: ContentType, search: string, options: ReaderOptions = {}): ReadPlan {
  const reader = readerOf(options);
  const raw = parseQueryString(search, reader.settings.api.rest.limits);
  return planList(parseQueryParams(raw, 'list', reader.settings), type, reader);
}

/** The plan of `GET /api/<type>/abc?<search>`. */
export function onePlan(type: ContentType, search: string, options: ReaderOptions = {}): ReadPlan {
  const reader = readerOf(options);
  const raw = parseQueryString(search, reader.settings.api.rest.limits);
  return planOne(parseQueryParams(raw, 'one', reader.settings), type, namedDocument('abc'), reader);
}

/** The names of the attributes that an answer shows. */
export const shownNames = ({ selection }: ReadPlan): readonly string[] => selection.attributes.map(({ name }) => name);

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
