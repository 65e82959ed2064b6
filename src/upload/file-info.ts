/**
 * @module `fileInfo`: what a client says about files beside their bytes.
 */
import * as z from 'zod/mini';
import type { Limits } from '../config.ts';
import { type Issue, invalid, invalidDocument } from '../errors.ts';
import { wrongType } from '../plan/messages.ts';
import { type InputData, refuseDepth, wellFormed } from '../request/body.ts';
import { checkName } from './names.ts';

/** Numbers and booleans become text, as the reference's validator casts them. */
const text = z.nullish(z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)));
const percentage = z.number().check(z.gte(0), z.lte(100));

/** Keys that mean nothing are passed over, as in the reference. */
const infoSchema = z.object({
  name: text,
  alternativeText: text,
  caption: text,
  focalPoint: z.nullish(z.object({ x: percentage, y: percentage })),
});

/** Absent: as it is, or as the file says. */
export type FileInfo = {
  readonly [Key in keyof z.output<typeof infoSchema>]?: Readonly<NonNullable<z.output<typeof infoSchema>[Key]>>;
};

const FIELD = 'fileInfo';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function parsed(value: unknown, limits: Limits): unknown {
  if (typeof value !== 'string') return value;
  let json: unknown;
  try {
    json = JSON.parse(wellFormed(value));
  } catch (error) {
    throw invalid(`${FIELD} is no JSON: ${(error as Error).message}`, { key: FIELD, source: 'body' });
  }
  refuseDepth(value, limits);
  return json;
}

/** In the words of the reference, which tells of one issue for each key. */
function issueOf(info: unknown, key: string | undefined, path: readonly string[]): Issue {
  if (key === undefined) return { path, message: wrongType(path.join('.'), 'object', info, info), value: info };
  const at = [...path, key];
  const value = (info as InputData)[key];
  const name = at.join('.');
  if (key !== 'focalPoint') return { path: at, message: wrongType(name, 'string', value, value), value };
  return { path: at, message: `${name} must have x and y between 0 and 100`, value };
}

function infoOf(value: unknown, path: readonly string[]): FileInfo {
  if (!isGiven(value)) return {};
  const result = infoSchema.safeParse(value);
  if (!result.success) {
    const keys = new Set(result.error.issues.map((issue) => issue.path[0]?.toString()));
    throw invalidDocument([...keys].map((key) => issueOf(value, key, path)));
  }
  const info: FileInfo = Object.fromEntries(Object.entries(result.data).filter(([, said]) => isGiven(said)));
  return { ...info, ...(info.name !== undefined && { name: checkName(info.name) }) };
}

/** One text that holds a list counts as the list. */
const listOf = (values: readonly unknown[], limits: Limits): unknown =>
  values.length < 2 ? parsed(values[0], limits) : values.map((value) => parsed(value, limits));

/**
 * What is said about one file.
 * @param values each a JSON text, or what a JSON body has.
 * @throws ApiError 400 that names the key, or `bodyDepth`.
 */
export function oneInfo(values: readonly unknown[], limits: Limits): FileInfo {
  const list = listOf(values, limits);
  return infoOf(Array.isArray(list) && list.length === 1 ? list[0] : list, [FIELD]);
}

/**
 * What is said about each of several files, in their order.
 * @throws ApiError 400 for anything but a list, and what `oneInfo` throws.
 */
export function manyInfos(values: readonly unknown[], count: number, limits: Limits): readonly FileInfo[] {
  if (count === 1) return [oneInfo(values, limits)];
  const list = listOf(values, limits);
  if (!isGiven(list)) return [];
  if (!Array.isArray(list))
    throw invalidDocument([{ path: [FIELD], message: wrongType(FIELD, 'array', list, list), value: list }]);
  return list.map((item, index) => infoOf(item, [`${FIELD}[${index}]`]));
}
