/**
 * @module The words of `search`.
 */
import { describe, expect, it } from 'vitest';
import { type ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { parseWords } from '../../../src/content/request/search-words.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({ api: { rest: { limits: { searchWords: 2 } } } }).api.rest;

describe('the words of a search', () => {
  it.each([
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    [' -', []],
    ['Night night', ['night']],
    ['night-train', ['night', 'train']],
    ['night\0train', ['night', 'train']],
    ['Cafe\u0301', ['caf\u00e9']],
    ['İ', ['İ']],
  ])('%j are %j', (text, words) => {
    expect(parseWords(text, limits)).toEqual(words);
  });

  it.each([
    ['a b c', "Invalid parameter at 'search'. Expected at most 2 words", { limit: 'searchWords' }],
    [['a'], "Invalid parameter at 'search'. Expected a string", {}],
    [{ a: 'b' }, "Invalid parameter at 'search'. Expected a string", {}],
  ])('are rejected: %j', (raw, message, details) => {
    const problem = (): unknown => {
      try {
        return parseWords(raw, limits);
      } catch (error) {
        return toErrorBody((error as ApiError).problem).error;
      }
    };
    expect(problem()).toMatchObject({
      status: 400,
      message,
      details: { source: 'query', param: 'search', ...details },
    });
  });
});
