/**
 * @module `fileInfo`: metadata of files, cast and validated as in Strapi.
 */

import { type Issue, invalid, invalidDocument } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import { printPath, wrongType } from '../../content/plan/validate/issues.ts';
import { type InputData, rejectDepth, wellFormed } from '../../content/request/body.ts';
import type { Limits } from '../../schema/settings/config.ts';
import { checkName, isPrivateKey } from './names.ts';
import type { StoredFile } from './sql/files.ts';

/** Absent values stay as they are, or come from the file. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string;
  readonly caption?: string;
  /** The id of a folder, or null; as it was sent. */
  readonly folder?: unknown;
  readonly folderPath?: string;
  /** As it was sent; the part of private files validates it. */
  readonly private?: unknown;
  readonly focalPoint?: { readonly x: number; readonly y: number };
}

export const PRIVATE_FIELD = { key: 'private', source: 'body' };

/** @throws ApiError 400 where no file can be private */
export function rejectPrivate(info: FileInfo, target: StoredFile | undefined): void {
  if (info.private || (target && isPrivateKey(target.hash)))
    throw invalid('Private files are off. Set upload.private', PRIVATE_FIELD);
}

type Path = readonly string[];

const FIELD = 'fileInfo';
const TEXTS = ['name', 'alternativeText', 'caption'] as const;

/** Parses JSON text; returns other values. @throws ApiError 400 for JSON nested deeper than `bodyDepth`. */
function parsed(value: unknown, limits: Limits, otherwise: (error: SyntaxError) => unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const json: unknown = JSON.parse(wellFormed(value));
    rejectDepth(value, limits);
    return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return otherwise(error);
  }
}

/** Keeps an empty text. @throws ApiError 400 for text that is not JSON. */
const jsonOf = (value: unknown, limits: Limits): unknown =>
  parsed(value, limits, ({ message }) => {
    if (value === '') return value;
    throw invalid(`${FIELD} is no JSON: ${message}`, { key: FIELD, source: 'body' });
  });

const parsedIfJson = (value: unknown, limits: Limits): unknown => parsed(value, limits, () => undefined);

const wrong = (path: Path, type: string, value: unknown, original: unknown): Issue => ({
  path,
  message: wrongType(printPath(path), type, value, original),
  value: type === 'string' ? value : null,
});

const textIssues = (value: unknown, path: Path): readonly Issue[] =>
  typeof value === 'object' && value !== null ? [wrong(path, 'string', value, value)] : [];

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

/** Returns undefined unless the focal point is an object. */
function pointOf({ focalPoint }: InputData, limits: Limits): InputData | undefined {
  const point = parsedIfJson(focalPoint, limits);
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

/** Returns a valid value without unknown keys. */
function infoOf(info: InputData, limits: Limits): FileInfo {
  const point = pointOf(info, limits);
  const given = TEXTS.filter((key) => info[key] !== undefined && info[key] !== null);
  const texts: FileInfo = Object.fromEntries(given.map((key) => [key, String(info[key])]));
  return {
    ...texts,
    private: info.private,
    folder: info.folder,
    ...(texts.name !== undefined && { name: checkName(texts.name) }),
    ...(point && { focalPoint: { x: numberOf(point.x), y: numberOf(point.y) } }),
  };
}

/** @throws ApiError 400 with all issues. */
function infosOf(values: readonly unknown[], pathOf: (index: number) => Path, limits: Limits): readonly FileInfo[] {
  const infos = values.map((value) => parsedIfJson(value, limits));
  const issues = infos.flatMap((info, index) => {
    const path = pathOf(index);
    return isObject(info) ? issuesOf(info, path, limits) : [wrong(path, 'object', null, values[index])];
  });
  if (issues.length > 0) throw invalidDocument(issues);
  return infos.filter(isObject).map((info) => infoOf(info, limits));
}

/** Returns the list of one text that holds a list, and the item of a list of one. */
function unwrapped(values: readonly unknown[], limits: Limits): unknown {
  const [first, ...more] = values.map((value) => jsonOf(value, limits));
  const all = more.length > 0 ? [first, ...more] : first;
  return Array.isArray(all) && all.length === 1 ? all[0] : all;
}

const singleInfo = (value: unknown, limits: Limits): FileInfo =>
  value === undefined ? {} : (infosOf([value], () => [FIELD], limits)[0] ?? {});

/** Returns the info of a file with bytes. @param values texts of a form @throws ApiError 400 */
export const oneInfo = (values: readonly unknown[], limits: Limits): FileInfo =>
  singleInfo(unwrapped(values, limits), limits);

/** Returns the info of a file that keeps its bytes. @param values of a form or a JSON body @throws ApiError 400 */
export const changedInfo = (values: readonly unknown[], limits: Limits): FileInfo =>
  singleInfo(values.length < 2 ? values[0] : values, limits);

/** Returns the infos of several files, in their order. @throws ApiError 400, also for anything but a list. */
export function manyInfos(values: readonly unknown[], count: number, limits: Limits): readonly FileInfo[] {
  if (count === 1) return [oneInfo(values, limits)];
  if (values.length === 0) return [];
  const list = unwrapped(values, limits);
  const items = parsedIfJson(list, limits);
  if (!Array.isArray(items)) throw invalidDocument([wrong([FIELD], 'array', null, list)]);
  return infosOf(items, (index) => [FIELD, String(index)], limits);
}
