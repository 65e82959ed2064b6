/**
 * @module A write that is answered with 200 has done what it says, and nothing else: after each one everything is read,
 * and compared with what a small model of the rules expects. A write that is refused has changed nothing.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { wrongOf } from '../generators/values.ts';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { clientOf } from '../support/client.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { createToken } from '../support/recorded.ts';
import { parameters, progress, timeout } from './options.ts';
import { bodyFor, type Written } from './written-bodies.ts';
import { complaints, sameState } from './written-complaints.ts';
import { FILES, hasDrafts, hasLocales, SCALARS, TYPES, writtenRegistry } from './written-model.ts';
import { expectedAfter, type Write } from './written-oracle.ts';
import { keyOf, readState, type State, type VersionName } from './written-state.ts';

/** Two isolates, which write by turns. */
const isolates = [1, 2].map(() => clientOf(serveRegistry(writtenRegistry), 'full'));
const [client] = isolates as [ReturnType<typeof clientOf>];
const DOCUMENTS_OF_A_TYPE = 3;

beforeAll(async () => {
  await createRegistryTables(writtenRegistry);
  await createToken('full', 'full-access');
  const insert = `insert into files (document_id, locale, published_at, created_at, updated_at, name, hash, mime, size, url, provider) values (?1, '', 1, 1, 1, ?1, ?1, 'image/png', 1, '/a', 'r2')`;
  await env.DB.batch(FILES.map((name) => env.DB.prepare(insert).bind(name)));
});

const documentsIn = (state: State, type: string): readonly string[] => {
  const refs = [...state.keys()].filter((key) => key.startsWith(`${type}/`)).map((key) => key.split('/')[1] ?? '');
  return [...new Set(refs)];
};

const FALLIBLE = Object.entries(SCALARS).filter(([, json]) => wrongOf(json).length > 0);

/** A value that fits no attribute of its type. */
function wrongValue(dice: Dice): object {
  const [name, json] = dice.pick(FALLIBLE as [(typeof FALLIBLE)[0], ...typeof FALLIBLE]);
  return { [name]: dice.pick(wrongOf(json) as [unknown, ...unknown[]]) };
}

it('is done as a whole, or refused and not done', { timeout }, async () => {
  const { numRuns, seed } = parameters('written');
  const tick = progress('written');
  const dice = diceOf(seed);
  // Each write is followed by a reading of everything.
  const runs = Math.ceil(numRuns / 12);
  let state = await readState(client);
  for (let run = 0; run < runs; run += 1) {
    const type = dice.pick(TYPES);
    const known = documentsIn(state, type);
    const isCreate = known.length === 0 || (known.length < DOCUMENTS_OF_A_TYPE && dice.once(2));
    const documentId = isCreate ? undefined : known[dice.below(known.length)];
    const locale = hasLocales(type) ? dice.pick(['en', 'en', 'fr', 'de']) : '';
    const status = hasDrafts(type) ? dice.pick<VersionName>(['draft', 'published']) : 'published';
    const row: Written = { type, documentId, locale };
    const draft = documentId && state.get(keyOf(type, `${documentId}/${locale}`, 'draft'));
    const query = `${locale && `locale=${locale}&`}${status === 'draft' ? 'status=draft' : ''}`;
    const path = `/api/${type}s${documentId ? `/${documentId}` : ''}?${query}`;
    const isRemoval = documentId !== undefined && dice.once(12);
    const fitting = isRemoval ? undefined : bodyFor(row, draft || undefined, state, dice);
    // The second kind is found by a question of the database.
    const mistake = dice.once(10) ? dice.pick([wrongValue(dice), { someBeta: ['nobody'] }]) : undefined;
    const body = fitting && { ...fitting, data: { ...fitting.data, ...mistake } };
    const writer = isolates[dice.below(2)] ?? client;
    const response = isRemoval
      ? await writer.remove(`/api/${type}s/${documentId}?${locale && `locale=${locale}`}`)
      : await (isCreate ? writer.create(path, body?.data) : writer.update(path, body?.data));
    const text = await response.text();
    const ok = response.status < 300;
    const after = await readState(client);
    const made = ok && !isRemoval ? String((JSON.parse(text) as { data: { documentId: string } }).data.documentId) : '';
    const write: Write = { type, ref: `${documentId ?? made}/${locale}`, status, ...(body && { body }) };
    const wrong = ok ? complaints(after, expectedAfter(state, write)) : sameState(state, after);
    const said = `run ${run} of seed ${seed}: ${isRemoval ? 'DELETE' : isCreate ? 'POST' : 'PUT'} ${path} ${JSON.stringify(body?.data)}`;
    expect(wrong, `${said}\n${response.status} ${text.slice(0, 300)}\n${wrong.join('\n')}`).toEqual([]);
    expect(response.status, `${said}\n${text}`).toBe(isRemoval ? 204 : mistake ? 400 : 200);
    if (run % 20 === 0) expect(await checkInvariants(env.DB, writtenRegistry), said).toEqual([]);
    state = after;
    tick();
  }
  expect(await checkInvariants(env.DB, writtenRegistry)).toEqual([]);
});
