/**
 * @module The schemas of account bodies in the description are those that validate.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ACCOUNT_SCHEMAS } from '../../../src/features/description/account-schemas.ts';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';

const validated = ACCOUNT_ROUTES.flatMap(({ action, body, query }) => {
  const schema = body ?? (typeof query === 'object' ? query : undefined);
  return schema ? [[action, z.toJSONSchema(schema, { io: 'input' })] as const] : [];
});

describe('the schema of', () => {
  it('each body and query is described', () => {
    expect(validated.map(([action]) => action)).toEqual(Object.keys(ACCOUNT_SCHEMAS));
  });

  it.each(validated)('%s has the keys and types that are validated', (action, { properties = {}, ...validating }) => {
    const own = ACCOUNT_SCHEMAS[action];
    const described = own?.properties ?? {};
    expect(Object.keys(described).toSorted()).toEqual(Object.keys(properties).toSorted());
    expect([...(own?.required ?? [])].toSorted()).toEqual([...(validating.required ?? [])].toSorted());
    expect(own?.additionalProperties).toBe(validating.additionalProperties);
    expect(described).toMatchObject(properties);
  });
});
