/**
 * @module One value against one attribute: what the rules say of it.
 */
import { validateInput } from '../../../src/content/plan/validate/validate-input.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { registryOf, typeOf } from '../../support/schema-files.ts';

export type Stage = 'draft' | 'publication' | 'update';

const CONTEXTS = {
  draft: { draft: true, operation: 'create' },
  publication: { draft: false, operation: 'create' },
  update: { draft: false, operation: 'update' },
} as const;

/** The types that are checked here have no components. */
const registry = registryOf([]);

export function validated(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  stage: Stage = 'publication',
  taken: ReadonlySet<string> = new Set(),
) {
  return validateInput(data, type, { ...CONTEXTS[stage], taken, registry, strictRelations: true });
}

/** Messages about the attribute `it`, declared as `json`, for a value. */
export function messagesFor(json: unknown, value: unknown, stage: Stage = 'publication'): string[] {
  const data = value === undefined ? {} : { it: value };
  return validated(typeOf({ it: json }), data, stage).issues.map(({ message }) => message);
}

/** What is kept of a value for the attribute `it`. */
export function valueFor(json: unknown, value: unknown, stage: Stage = 'publication'): unknown {
  const data = value === undefined ? {} : { it: value };
  const [entry] = validated(typeOf({ it: json }), data, stage).values;
  return entry?.[1];
}
