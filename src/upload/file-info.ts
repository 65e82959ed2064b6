/**
 * @module `fileInfo`: what a client says about files beside their bytes.
 */
import { type Issue, invalid, invalidDocument } from '../errors.ts';
import { wrongType } from '../plan/messages.ts';
import type { InputData } from '../request/body.ts';
import { checkName } from './names.ts';

/** Absent: as it is, or as the file says. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string;
  readonly caption?: string;
  readonly focalPoint?: { readonly x: number; readonly y: number };
}

const TEXTS = ['name', 'alternativeText', 'caption'] as const;
const FIELD = 'fileInfo';

const isObject = (value: unknown): value is InputData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    throw invalid(`${FIELD} is no JSON: ${(error as Error).message}`, { key: FIELD, source: 'body' });
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isPercentage = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 100;

/** Numbers and booleans become text, as the reference's validator casts them. */
const textOf = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

function issuesOf(info: InputData, path: readonly string[]): readonly Issue[] {
  const issues: Issue[] = [];
  for (const name of TEXTS) {
    const value = info[name];
    const at = [...path, name];
    if (isGiven(value) && textOf(value) === undefined)
      issues.push({ path: at, message: wrongType(at.join('.'), 'string', value, value), value });
  }
  const { focalPoint } = info;
  const at = [...path, 'focalPoint'];
  const fits = isObject(focalPoint) && isPercentage(focalPoint.x) && isPercentage(focalPoint.y);
  if (isGiven(focalPoint) && !fits)
    issues.push({ path: at, message: `${at.join('.')} must have x and y between 0 and 100`, value: focalPoint });
  return issues;
}

/** Keys that mean nothing are passed over, as in the reference. */
function infoOf(value: unknown, path: readonly string[]): FileInfo {
  if (!isGiven(value)) return {};
  const name = path.join('.');
  if (!isObject(value)) throw invalidDocument([{ path, message: wrongType(name, 'object', value, value), value }]);
  const issues = issuesOf(value, path);
  if (issues.length > 0) throw invalidDocument(issues);
  const texts = TEXTS.filter((key) => isGiven(value[key])).map((key) => [key, textOf(value[key])]);
  const info: FileInfo = Object.fromEntries(texts);
  const { x, y } = (value.focalPoint ?? {}) as { x?: number; y?: number };
  return {
    ...info,
    ...(info.name !== undefined && { name: checkName(info.name) }),
    ...(x !== undefined && y !== undefined && { focalPoint: { x, y } }),
  };
}

/** One text that holds a list counts as the list. */
const listOf = (values: readonly unknown[]): unknown => (values.length < 2 ? parsed(values[0]) : values.map(parsed));

/**
 * What is said about one file.
 * @param values each a JSON text, or what a JSON body has.
 * @throws ApiError 400 that names the key.
 */
export function oneInfo(values: readonly unknown[]): FileInfo {
  const list = listOf(values);
  return infoOf(Array.isArray(list) && list.length === 1 ? list[0] : list, [FIELD]);
}

/** What is said about each of several files, in their order. @throws ApiError 400 for anything but a list. */
export function manyInfos(values: readonly unknown[], count: number): readonly FileInfo[] {
  if (count === 1) return [oneInfo(values)];
  const list = listOf(values);
  if (!isGiven(list)) return [];
  if (!Array.isArray(list))
    throw invalidDocument([{ path: [FIELD], message: wrongType(FIELD, 'array', list, list), value: list }]);
  return list.map((item, index) => infoOf(item, [`${FIELD}[${index}]`]));
}
