/**
 * @module What an isolate remembers of callers changes nothing but round trips: the same writes come to the same answers
 * and the same rows through isolates that live on and through new ones.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { FILES, plainRows, plainTexts, startAnew } from '../../support/compared-runs.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { createTables, recordedRegistry, type Send, sendJson, serve } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';

const WRITES = samplesOf(120, 0.12);
const RIGHTS = ['api::article.article.update', 'api::comment.comment.create', 'api::tag.tag.find'];

beforeAll(createTables);

type Body = Readonly<Record<string, unknown>>;
type Request = readonly [method: string, path: string, data: Body];

/** So few documents that one isolate often remembers what the other has changed since. */
const SEEDS = [
  ...['one', 'two'].map((name) => ['tags', { name }] as const),
  ...['one', 'two'].map((name) => ['authors', { name }] as const),
  ...['one', 'two'].map((title) => ['articles', { title: `Article ${title}` }] as const),
  ...[1, 2].map((number) => ['issues', { title: 'Issue', number }] as const),
] as const;

type Names = Readonly<Record<string, string[]>>;

function drawn(dice: Dice, names: Names): Request {
  const one = (route: string) => names[route]?.[Number(dice.once(4))] ?? 'nobody';
  const article = `/api/articles/${one('articles')}`;
  const issue = `/api/issues/${one('issues')}`;
  const [tag, anchor] = [one('tags'), one('tags')];
  const position = dice.pick<Body>([{ start: true }, { before: anchor }, { after: anchor }]);
  const search = dice.pick(['', '', '', '?status=draft', '?locale=fr']);
  return dice.pick<Request>([
    ['PUT', article + search, { title: 'A title', price: dice.below(3) }],
    ['PUT', article + search, { title: 'A title', price: dice.below(3) }],
    ['PUT', article + search, { title: 'A title', seo: { metaTitle: `${dice.below(9)}`, card: { title: 'c' } } }],
    ['PUT', article + search, { title: 'A title', links: [{ label: `${dice.below(9)}`, href: '/' }] }],
    ['PUT', article + search, { title: 'A title', attachment: dice.pick(FILES), extra: { a: dice.below(9) } }],
    ['PUT', article, { code: `code ${dice.below(2)}`, accessCode: 'secret' }],
    ['PUT', article, { title: dice.pick<unknown>([null, 'x', 'A fine title']) }],
    ['PUT', article, { tags: { connect: [{ documentId: tag, position }] } }],
    ['PUT', article, { tags: { disconnect: [tag] } }],
    ['PUT', article, { related: { connect: [one('articles')] }, gallery: { connect: [dice.pick(FILES)] } }],
    ['DELETE', `${article}?locale=fr`, {}],
    ['PUT', issue, { coverStory: one('articles') }],
    ['PUT', `${issue}?status=draft`, { previous: one('issues'), number: dice.below(3) }],
    ['PUT', '/api/site-setting', { siteName: 'Site', editorInChief: one('authors') }],
    ['DELETE', '/api/site-setting', {}],
    ['PUT', `/api/homepage?locale=${dice.pick(['en', 'fr'])}`, { theme: dice.pick(['dark', 'light']), heading: 'h' }],
    ['POST', '/api/comments', { text: 'by name', article: one('articles') }],
    ['POST', '/api/comments', { text: 'by number', article: dice.below(30), by: dice.below(4) }],
    ['DELETE', `/api/tags/${tag}`, {}],
  ]);
}

/** What writes were answered with, and what they left. */
async function outcome(seed: number, isolate: (number: number) => Send): Promise<readonly string[]> {
  await startAnew(recordedRegistry, RIGHTS);
  const plain = plainTexts();
  const dice = diceOf(seed);
  const names: Record<string, string[]> = {};
  for (const [route, data] of SEEDS) {
    const { documentId } = await documentOf(isolate(0)(`/api/${route}`, sendJson('POST', 'full', { data })));
    names[route] = [...(names[route] ?? []), documentId];
  }
  const answers: string[] = [];
  let request = drawn(dice, names);
  for (let done = 0; done < WRITES; done += 1) {
    if (dice.once(2)) request = drawn(dice, names);
    const [method, path, data] = request;
    const token = dice.pick(['full', 'full', 'full', 'full', 'narrow', 'nobody']);
    const response = await isolate(dice.below(2))(path, sendJson(method, token, { data }));
    answers.push(plain([token, request, response.status, await response.text()]));
  }
  return [...answers, ...(await plainRows(recordedRegistry, plain))];
}

it('isolates that live on do what new ones do', async () => {
  const seed = seedOf('remembered writes');
  vi.spyOn(console, 'error').mockReturnValue();
  const isolates = [serve(), serve()];
  const remembered = await outcome(seed, (number) => isolates[number] as Send);
  expect(remembered).toEqual(await outcome(seed, () => serve()));
});
