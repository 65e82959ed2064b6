import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  releaseMessagesSql,
  resumeWebhooksSql,
  retryWebhooksSql,
  testWebhookSql,
} from '../../../cli/core/sql/webhooks.ts';
import { NEVER_DUE } from '../../../src/features/webhooks/sql/outbox.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

const [SITE, INDEX] = ['https://site.example.com/', 'https://index.example.com/'];

describe('messages to webhooks', () => {
  let database: TestDatabase;
  const dueTimes = async () =>
    (await database.run('select due_at from edgewise_outbox order by sequence')).map((row) => row.due_at);
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.evolve({ types: [] });
  });
  afterEach(() => database.run('delete from edgewise_outbox'));
  afterAll(() => database.close());

  it('are sent again if they were given up, and no others', async () => {
    for (const url of [SITE, SITE, SITE, INDEX]) await database.run(testWebhookSql(url, 1));
    await database.run('update edgewise_outbox set due_at = null, attempts = 20 where sequence in (1, 2, 4)');
    await database.run('update edgewise_outbox set delivered_at = 2 where sequence = 2');
    expect(await database.run(retryWebhooksSql([SITE], 7))).toHaveLength(1);
    expect(await dueTimes()).toEqual([7, null, 1, null]);
    expect(await database.run('select attempts from edgewise_outbox where due_at = 7')).toEqual([{ attempts: 0 }]);
  });

  it('go to a paused webhook once it is resumed', async () => {
    for (const url of [SITE, INDEX])
      await database.run(`insert into edgewise_endpoints (url, paused_at) values ('${url}', 1)`);
    expect(await database.run(resumeWebhooksSql([INDEX]))).toEqual([{ url: INDEX }]);
    expect(await database.run('select url from edgewise_endpoints')).toEqual([{ url: SITE }]);
    for (const url of [SITE, SITE, INDEX]) await database.run(testWebhookSql(url, 1));
    await database.run(`update edgewise_outbox set due_at = ${NEVER_DUE}, document_id = 'a'`);
    await database.run(releaseMessagesSql([SITE], 7));
    expect(await dueTimes()).toEqual([7, NEVER_DUE, NEVER_DUE]);
  });
});
