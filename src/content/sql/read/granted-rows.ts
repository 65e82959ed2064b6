/**
 * @module Conditions of grants on rows.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ContentType } from '../../../schema/model.ts';
import type { Condition } from '../../plan/model/read-plan.ts';
import { rowScope } from '../scope.ts';
import { compileCondition } from './conditions.ts';

/** Conditions on rows of a type; an absent one holds for each. */
export interface GrantConditions {
  readonly type: ContentType;
  readonly allowed: Condition | undefined;
  readonly visible: Condition | undefined;
}

/** A missing value does not meet a condition. */
export const meetsCondition = (condition: Condition | undefined, type: ContentType): SQL =>
  condition ? sql`coalesce((${compileCondition(condition, rowScope(type))}), 0) <> 0` : sql`1`;

/** Does the row meet both conditions? */
export const isGranted = ({ type, allowed, visible }: GrantConditions): SQL =>
  sql`${meetsCondition(allowed, type)} and ${meetsCondition(visible, type)}`;
