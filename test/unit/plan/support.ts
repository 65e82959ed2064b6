/**
 * @module From a query string to the plan of a read, and what it is refused with.
 */
import { EVERYTHING, type Grants } from '../../../src/access/grants.ts';
import type { Rule } from '../../../src/access/rule.ts';
import { ApiError, type ErrorBody, toErrorBody } from '../../../src/common/errors.ts';
import type { Condition, ReadPlan, Step } from '../../../src/content/plan/model/read-plan.ts';
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
  readonly rule?: Rule | undefined;
}

/** Somebody who may do everything, unless something else is said. */
export const readerOf = ({
  settings = defaults,
  registry = recordedRegistry,
  grants = EVERYTHING,
  rule,
}: ReaderOptions): Reader => ({ registry, settings, grants, rule });

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

/** `both` and `own` of a step: do targets in both versions count, and do rows follow the links of their own version? */
const printVersions = (step: object): string =>
  `${'bothVersions' in step && step.bothVersions ? ' both' : ''}${'ofOwnVersion' in step && step.ofOwnVersion ? ' own' : ''}`;

/** A step as a short text: the target, its version, and for links theirs, `story published by draft`. */
export function printStep(step: Step): string {
  if (step.kind === 'component') return step.attribute.name;
  const visible = step.visible ? ` [${printCondition(step.visible)}]` : '';
  switch (step.kind) {
    case 'link': {
      const { target, status, version, owner } = step.link;
      return `${target.singularName} ${status} ${owner ? 'to' : 'from'} ${version}${printVersions(step.link)}${visible}`;
    }
    case 'reference':
      return `${step.target.singularName} ${step.status}${printVersions(step)}${visible}`;
    default:
      return `locales ${step.status}${printVersions(step)}${visible}`;
  }
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
    case 'related':
      return `${printStep(condition.step)}: ${printCondition(condition.where)}`;
    case 'caller': {
      const { step, attribute, user } = condition.value;
      const value = `${step ? `${printStep(step)}.` : ''}${attribute.name} of ${user}`;
      return `${condition.attribute.name} ${condition.operator} ${value}`;
    }
    default:
      return condition?.kind ?? '';
  }
}
