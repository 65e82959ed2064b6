/**
 * @module Bodies that would do harm later, or to the server itself.
 */
import { describe, expect, it } from 'vitest';
import { bearer } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const headers = { authorization: 'Bearer full', 'content-type': 'application/json' };
const post = (path: string, body: string) => send(path, { method: 'POST', headers, body });
const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);

describe('JSON text that is nested deeply', () => {
  it.each([1_500, 100_000])('%i levels are refused, or do no harm to what reads the list', async (levels) => {
    await post('/api/articles?status=draft', JSON.stringify({ data: { title: 'Deep', extra: nested(levels) } }));
    for (const search of ['', 'filters[extra]=a', 'sort=extra', '_q=a'])
      expect((await send(`/api/articles?status=draft&${search}`, bearer('full'))).status).toBe(200);
  });

  it('is refused in blocks', async () => {
    const answer = await post('/api/articles', JSON.stringify({ data: { title: 'Deep', content: nested(100_000) } }));
    expect(answer.status).toBe(400);
  });
});

describe('a refusal', () => {
  const times = async (body: string) =>
    (await (await post('/api/articles?status=draft', body)).text()).length / body.length;

  it('of a large value is not much larger than the value', async () => {
    expect(await times(`{"data":{"title":["${'a'.repeat(50_000)}"]}}`)).toBeLessThan(10);
  });

  it('of a value that is nested and long is not much larger than the value', async () => {
    const list = Array.from({ length: 10_000 }, () => '1').join(',');
    expect(await times(`{"data":{"title":${nested(90, list)}}}`)).toBeLessThan(20);
  });

  it('of many blocks is not much larger than the blocks', async () => {
    const list = Array.from({ length: 10_000 }, () => '1').join(',');
    expect(await times(`{"data":{"title":"Blocks","content":[${list}]}}`)).toBeLessThan(20);
  });
});

describe('a text that is no Unicode', () => {
  it('is stored with replacements and comes back as JSON', async () => {
    const answer = await post('/api/tags', '{"data":{"name":"a\\ud800b","color":"\\udfff"}}');
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { name: string } };
    expect(data.name.isWellFormed()).toBe(true);
  });

  it.each([
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\uD83D\\uDE00\\uDE00"', '😀\ufffd'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
    [String.raw`"\\ud800\ud800\n"`, '\\ud800\ufffd\n'],
  ])('%s is found by what it is told as', async (written, told) => {
    const answer = await post('/api/tags', `{"data":{"name":${written}}}`);
    expect(await answer.json()).toMatchObject({ data: { name: told } });
    const found = await send(`/api/tags?filters[name]=${encodeURIComponent(told)}`, bearer('full'));
    expect(await found.json()).toMatchObject({ data: [{ name: told }] });
  });
});

describe('keys that objects have by themselves', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty'])('%s is an unknown key', async (key) => {
    const answer = await post('/api/tags', `{"data":{"name":"a","${key}":{"polluted":true}}}`);
    expect(await answer.json()).toMatchObject({ error: { status: 400, message: `Invalid key ${key}` } });
    expect({}).not.toHaveProperty('polluted');
  });

  it('are kept inside JSON values, but for __proto__', async () => {
    const answer = await post('/api/issues?status=draft', '{"data":{"notes":{"constructor":2,"toString":1}}}');
    expect(await answer.text()).toContain('"notes":{"constructor":2,"toString":1}');
    const refused = await post('/api/issues?status=draft', '{"data":{"notes":{"__proto__":{"a":1}}}}');
    expect(await refused.json()).toMatchObject({
      error: { status: 400, name: 'SyntaxError', message: 'Object contains forbidden prototype property' },
    });
  });
});
