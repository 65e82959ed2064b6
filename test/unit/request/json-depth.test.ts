/**
 * @module How deep a JSON text is nested.
 */
import { expect, it } from 'vitest';
import { jsonDepth } from '../../../src/content/request/json-depth.ts';

it.each([
  ['1', 0],
  ['[]', 1],
  ['{"a":[1,{"b":2}]}', 3],
  ['[[1,2,3,4],[5],[[6]]]', 3],
  ['[{},{},{}]', 2],
  ['["[[[[{{{{"]', 1],
  ['["]]","]]",[]]', 2],
  ['["\\"[[[["]', 1],
  ['["\\\\",[[]]]', 3],
  ['[{"\\"":[]}]', 3],
])('%s has %i levels', (text, depth) => {
  expect(jsonDepth(text)).toBe(depth);
});
