/**
 * @module `fileInfo` of one file and of several: which values are taken, and where a wrong one is.
 */
import { describe, expect, it } from 'vitest';
import { ApiError, type Issue } from '../../../src/common/errors.ts';
import { changedInfo, manyInfos, oneInfo } from '../../../src/features/files/file-info.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;

function errorOf(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const issuesOf = (work: () => unknown): readonly Issue[] =>
  (errorOf(work).problem as { details?: { errors?: readonly Issue[] } }).details?.errors ?? [];

const wrongOf = (work: () => unknown): readonly (readonly [path: string, value: unknown])[] =>
  issuesOf(work).map(({ path, value }) => [path.join('.'), value]);

describe('the info of a file with bytes', () => {
  it.each([
    [[], {}],
    [['{}'], {}],
    [['[{"caption":"in a list"}]'], { caption: 'in a list' }],
    [['{"name":"a","alternativeText":"b","caption":"c","url":"d"}'], { name: 'a', alternativeText: 'b', caption: 'c' }],
    [['{"name":null,"alternativeText":null,"caption":null}'], {}],
    [['{"name":"","alternativeText":0,"caption":false}'], { name: '', alternativeText: '0', caption: 'false' }],
    [['{"name":"u\u0308"}'], { name: 'ü' }],
    [['{"private":null,"folder":null}'], { private: null, folder: null }],
    [['{"private":true,"folder":"7"}'], { private: true, folder: '7' }],
    [['{"focalPoint":{"x":0,"y":100}}'], { focalPoint: { x: 0, y: 100 } }],
    [['{"focalPoint":{"x":" 1.5 ","y":"0","z":9}}'], { focalPoint: { x: 1.5, y: 0 } }],
    [['{"focalPoint":"{\\"x\\":1,\\"y\\":2}"}'], { focalPoint: { x: 1, y: 2 } }],
    [['{"focalPoint":null}'], {}],
    [['{"focalPoint":[1,2]}'], {}],
    [['{"focalPoint":"x"}'], {}],
  ])('%j is %j', (values, info) => {
    expect(oneInfo(values, limits)).toEqual(info);
  });

  it.each([
    ['{"focalPoint":{"x":-0.1,"y":100.1}}', 'greater than or equal to 0', 'less than or equal to 100'],
    ['{"focalPoint":{"x":"","y":" "}}', 'must be a `number` type', 'must be a `number` type'],
    ['{"focalPoint":{"x":true,"y":null}}', 'must be a `number` type', 'must be a `number` type'],
    ['{"focalPoint":{"x":[],"y":"1e"}}', 'must be a `number` type', 'must be a `number` type'],
    ['{"focalPoint":{}}', 'is a required field', 'is a required field'],
  ])('has two wrong percentages: %s', (text, ...expected) => {
    const issues = issuesOf(() => oneInfo([text], limits));
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual(
      ['x', 'y'].map((key, index) => [
        `fileInfo.focalPoint.${key}`,
        expect.stringMatching(new RegExp(`^fileInfo.focalPoint.${key} .*${expected[index]}`)),
      ]),
    );
  });

  it('shows the value of a wrong text, and none of what is no object', () => {
    const list = '{"name":["n"],"alternativeText":{"a":1},"caption":[]}';
    expect(wrongOf(() => oneInfo([list], limits))).toEqual([
      ['fileInfo.name', ['n']],
      ['fileInfo.alternativeText', { a: 1 }],
      ['fileInfo.caption', []],
    ]);
    expect(wrongOf(() => oneInfo(['5'], limits))).toEqual([['fileInfo', null]]);
    const point = '{"focalPoint":{"x":"a","y":1}}';
    expect(wrongOf(() => oneInfo([point], limits))).toEqual([['fileInfo.focalPoint.x', null]]);
  });

  it.each([
    [[''], 'fileInfo must be a `object` type'],
    [['{'], 'fileInfo is no JSON: '],
    [['{}', '{}'], 'fileInfo must be a `object` type'],
    [['{"name":"a/b"}'], 'Names have no slashes'],
    [[`{"x":${'['.repeat(101)}${']'.repeat(101)}}`], 'Body nested too deeply. Expected at most 100 levels'],
    [[`{"focalPoint":"${'['.repeat(101)}${']'.repeat(101)}"}`], 'Body nested too deeply. Expected at most 100 levels'],
  ])('is rejected: %j', (values, message) => {
    expect(() => oneInfo(values, limits)).toThrow(message);
  });
});

describe('the info of a file that keeps its bytes', () => {
  it.each([
    [[], {}],
    [['{"caption":"a text"}'], { caption: 'a text' }],
    [[{ caption: 'an object' }], { caption: 'an object' }],
  ])('%j is %j', (values, info) => {
    expect(changedInfo(values, limits)).toEqual(info);
  });

  it.each([[['{"caption":"x"}', '{"caption":"y"}']], [['[{"caption":"x"}]']], [['{']]])('is no list: %j', (values) => {
    expect(() => changedInfo(values, limits)).toThrow('fileInfo must be a `object` type');
  });
});

describe('the infos of two files', () => {
  it.each([
    [[], []],
    [
      ['{"caption":"a"}', '{"caption":"b"}'],
      [{ caption: 'a' }, { caption: 'b' }],
    ],
    [['[{"caption":"a"},{"caption":"b"}]'], [{ caption: 'a' }, { caption: 'b' }]],
    [['[{"caption":"a"},"{\\"caption\\":\\"b\\"}"]'], [{ caption: 'a' }, { caption: 'b' }]],
  ])('%j are %j', (values, infos) => {
    expect(manyInfos(values, 2, limits)).toEqual(infos);
  });

  it('are named by their places where they are wrong', () => {
    const texts = ['{"caption":[1]}', '7', '{"focalPoint":{"x":1,"y":101}}'];
    expect(wrongOf(() => manyInfos(texts, 3, limits))).toEqual([
      ['fileInfo.0.caption', [1]],
      ['fileInfo.1', null],
      ['fileInfo.2.focalPoint.y', 101],
    ]);
    expect(wrongOf(() => manyInfos(['{}'], 2, limits))).toEqual([['fileInfo', null]]);
  });

  it('of which there is one are that of a single file', () => {
    expect(manyInfos(['[{"caption":"a"}]'], 1, limits)).toEqual([{ caption: 'a' }]);
    expect(manyInfos([], 1, limits)).toEqual([{}]);
  });
});
