/**
 * @module The body of a message whose document cannot be read.
 */
import { expect, it } from 'vitest';
import { ApiError, invalid, type Problem } from '../../../src/common/errors.ts';
import { payloadOf } from '../../../src/features/webhooks/payload.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([contentType('topic', { name: { type: 'string' } })]);
const MESSAGE = {
  ...{ sequence: 1, id: 'msg_1', endpoint: '', event: 'entry.update', type: 'api::topic.topic' },
  ...{ documentId: 'd', locale: '', entry: null, createdAt: 0, attempts: 1 },
};

/** @param failure of each read */
function payload(failure: Error): Promise<string> {
  const database = { read: () => Promise.reject(failure) };
  return payloadOf({ registry, settings: parseSettings({}), database: database as never }, MESSAGE);
}

const failed = (problem: Problem) => new ApiError(problem);

it('is made at a later attempt if the database fails', async () => {
  for (const failure of [
    new Error('D1_ERROR'),
    failed({ kind: 'internal' }),
    failed({ kind: 'overloaded', retryAfter: 1 }),
  ])
    await expect(payload(failure)).rejects.toBe(failure);
});

it('names the document if no read of it would succeed', async () => {
  expect(JSON.parse(await payload(invalid('too large')))).toMatchObject({ entry: { documentId: 'd' } });
});
