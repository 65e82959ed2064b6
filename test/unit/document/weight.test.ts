/**
 * @module What passes the scale is not much larger than the answer may be, whatever the documents consist of.
 */
import { describe, expect, it } from 'vitest';
import { scaleOf } from '../../../src/content/document/weight.ts';
import type { ReadPlan } from '../../../src/content/plan/model/read-plan.ts';

const named = { kind: 'reference', name: 'articles' };
const component = { kind: 'component', name: 'cards', selection: { attributes: [], populate: [named] } };
const planOf = (bytes: number) =>
  ({ selection: { attributes: [], populate: [component] }, ceiling: { bytes } }) as unknown as ReadPlan;

const keyed = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`attributeNumber${index}`, value]));

describe('a document that components name a hundred times', () => {
  it.each([
    ['without values', keyed(50, null)],
    ['of texts', keyed(5, 'x'.repeat(50))],
    ['of lists', { list: Array.from({ length: 50 }, () => keyed(3, false)) }],
  ])('%s', (_, article) => {
    const document = { cards: Array.from({ length: 10 }, () => ({ articles: Array(10).fill(article) })) };
    const { length } = JSON.stringify(document);
    expect(() => scaleOf(planOf(Math.floor(length / 3)))(document)).toThrow('too many bytes');
    expect(() => scaleOf(planOf(length))(document)).not.toThrow();
  });
});
