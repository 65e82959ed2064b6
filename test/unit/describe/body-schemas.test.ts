/**
 * @module The schemas of fixed bodies in the description are those that validate: they are generated from them with
 * `npm test -- test/unit/describe/body-schemas.test.ts -u`.
 */
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { REQUEST_OF_BATCH } from '../../../src/content/operations/batch-body.ts';
import { RESTORE_BODY } from '../../../src/features/history/routes.ts';
import { PREVIEW_BODY } from '../../../src/features/preview/routes.ts';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { PUBLICATION_BODY } from '../../../src/schema/publication.ts';

const FILE = '../../../src/features/description/body-schemas.json';

const OTHERS = {
  batchRequest: REQUEST_OF_BATCH,
  previewLink: PREVIEW_BODY,
  publication: PUBLICATION_BODY,
  restore: RESTORE_BODY,
};

/** Formats are enough without their patterns. */
function described(schema: z.ZodMiniType) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return json;
}

it('describes the bodies and queries that are validated', async () => {
  const accounts = ACCOUNT_ROUTES.flatMap(({ action, body, query }) => {
    const schema = body ?? (typeof query === 'object' ? query : undefined);
    return schema ? [[action, schema] as const] : [];
  });
  const schemas = [...accounts, ...Object.entries(OTHERS)].map(([name, schema]) => [name, described(schema)]);
  await expect(`${JSON.stringify(Object.fromEntries(schemas), null, 2)}\n`).toMatchFileSnapshot(FILE);
});
