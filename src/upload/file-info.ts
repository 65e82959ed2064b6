/**
 * @module `fileInfo`: the metadata that a client sends with files, cast and validated as in Strapi.
 */
import type { Limits } from '../config.ts';
import { type Issue, invalid, invalidDocument } from '../errors.ts';
import { isObject } from '../json.ts';
import { printPath, wrongType } from '../plan/validate/messages.ts';
import { type InputData, refuseDepth, wellFormed } from '../request/body.ts';
import { checkName } from './names.ts';

/** Absent: as it is, or as the file says. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string;
  readonly caption?: string;
  readonly focalPoint?: { readonly x: number; readonly y: number };
}

type Path = readonly string[];

const FIELD = 'fileInfo';
const TEXTS = ['name', 'alternativeText', 'caption'] as const;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns what a text says as JSON; other values stay. @throws ApiError 400 for JSON nested deeper than `bodyDepth`. */
function parsed(value: unknown, limits: Limits, otherwise: (error: SyntaxError) => unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const json: unknown = JSON.parse(wellFormed(value));
    refuseDepth(value, limits);
    return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return otherwise(error);
  }
}

/** An empty text stays one. @throws ApiError 400 for a text that is no JSON. */
const jsonOf = (value: unknown, limits: Limits): unknown =>
  parsed(value, limits, ({ message }) => {
    if (value === '') return value;
    throw invalid(`${FIELD} is no JSON: ${message}`, { key: FIELD, source: 'body' });
  });

/** A text counts as the JSON that it is. */
const uncovered = (value: unknown, limits: Limits): unknown => parsed(value, limits, () => undefined);

const wrong = (path: Path, type: string, value: unknown, original: unknown): Issue => ({
  path,
  message: wrongType(printPath(path), type, value, original),
  value: type === 'string' ? value : null,
});

function textIssues(value: unknown, path: Path): readonly Issue[] {
  return typeof value === 'object' && value !== null ? [wrong(path, 'string', value, value)] : [];
}

const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
};

function percentageIssues(value: unknown, path: Path): readonly Issue[] {
  const name = printPath(path);
  if (value === undefined) return [{ path, message: `${name} is a required field` }];
  const number = numberOf(value);
  if (Number.isNaN(number)) return [wrong(path, 'number', number, value)];
  if (number < 0) return [{ path, message: `${name} must be greater than or equal to 0`, value: number }];
  return number > 100 ? [{ path, message: `${name} must be less than or equal to 100`, value: number }] : [];
}

/** Returns undefined for a focal point that is not an object. */
function pointOf({ focalPoint }: InputData, limits: Limits): InputData | undefined {
  const point = uncovered(focalPoint, limits);
  return isObject(point) ? point : undefined;
}

function issuesOf(info: InputData, path: Path, limits: Limits): readonly Issue[] {
  const point = pointOf(info, limits);
  const at = [...path, 'focalPoint'];
  return [
    ...TEXTS.flatMap((key) => textIssues(info[key], [...path, key])),
    ...(point ? ['x', 'y'].flatMap((key) => percentageIssues(point[key], [...at, key])) : []),
  ];
}

/** What a sound value says; keys that mean nothing are passed over. */
function infoOf(info: InputData, limits: Limits): FileInfo {
  const point = pointOf(info, limits);
  const said = TEXTS.filter((key) => isGiven(info[key])).map((key) => [key, String(info[key])]);
  const texts: FileInfo = Object.fromEntries(said);
  return {
    ...texts,
    ...(texts.name !== undefined && { name: checkName(texts.name) }),
    ...(point && { focalPoint: { x: numberOf(point.x), y: numberOf(point.y) } }),
  };
}

/** @throws ApiError 400 with everything that is wrong with what is said, about one file or about each of several. */
function infosOf(values: readonly unknown[], pathOf: (index: number) => Path, limits: Limits): readonly FileInfo[] {
  const infos = values.map((value) => uncovered(value, limits));
  const issues = infos.flatMap((info, index) => {
    const path = pathOf(index);
    return isObject(info) ? issuesOf(info, path, limits) : [wrong(path, 'object', null, values[index])];
  });
  if (issues.length > 0) throw invalidDocument(issues);
  return infos.filter(isObject).map((info) => infoOf(info, limits));
}

/** One text that holds a list counts as the list, and a list of one as what it holds. */
function said(values: readonly unknown[], limits: Limits): unknown {
  const [first, ...more] = values.map((value) => jsonOf(value, limits));
  const all = more.length > 0 ? [first, ...more] : first;
  return Array.isArray(all) && all.length === 1 ? all[0] : all;
}

const about = (value: unknown, limits: Limits): FileInfo =>
  value === undefined ? {} : (infosOf([value], () => [FIELD], limits)[0] ?? {});

/**
 * What is said about a file that comes with its bytes.
 * @param values the texts of a form.
 * @throws ApiError 400 that names the key, or `bodyDepth`.
 */
export const oneInfo = (values: readonly unknown[], limits: Limits): FileInfo => about(said(values, limits), limits);

/**
 * What is said about a file that stays: no list.
 * @param values each a text of a form, or what a JSON body has.
 * @throws ApiError 400 that names the key, or `bodyDepth`.
 */
export const changedInfo = (values: readonly unknown[], limits: Limits): FileInfo =>
  about(values.length < 2 ? values[0] : values, limits);

/**
 * What is said about each of several files, in their order.
 * @throws ApiError 400 for anything but a list, and what `oneInfo` throws.
 */
export function manyInfos(values: readonly unknown[], count: number, limits: Limits): readonly FileInfo[] {
  if (count === 1) return [oneInfo(values, limits)];
  if (values.length === 0) return [];
  const list = said(values, limits);
  const items = uncovered(list, limits);
  if (!Array.isArray(items)) throw invalidDocument([wrong([FIELD], 'array', null, list)]);
  return infosOf(items, (index) => [FIELD, String(index)], limits);
}
