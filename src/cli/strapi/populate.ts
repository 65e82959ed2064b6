/**
 * @module Which parameters ask for all that a document has: components and zones whole, relations and media by their ids.
 */
import { UserError } from '../terminal.ts';
import { type Attributes, partOf, type SourceModel } from './source-model.ts';

/** Proxies stop at addresses of 8 KB, and the parser of queries at 1,000 parameters. */
const MOST_CHARACTERS = 5_000;
const MOST_PARAMETERS = 400;
const MOST_LEVELS = 8;
/** Of one type: components that hold each other may ask for any number. */
const MOST_STEPS = 50_000;

const key = (name: string): string => `[${encodeURIComponent(name)}]`;

interface Depth {
  readonly level: number;
  /** Attributes that were looked at. */
  readonly steps: { count: number };
}

/** @param at the parameter that the components stand in. */
function componentParameters(at: string, uid: string, model: SourceModel, depth: Depth): readonly string[] {
  const below = { ...depth, level: depth.level + 1 };
  const inner = parametersIn(`${at}[populate]`, model.components.get(uid) ?? {}, model, below).flat();
  return inner.length > 0 ? inner : [`${at}=true`];
}

function targetParameters(at: string, target: string, model: SourceModel): readonly string[] {
  const locale = model.types.get(target)?.localized === true ? [`${at}[fields][1]=locale`] : [];
  return [`${at}[fields][0]=documentId`, ...locale];
}

/** The parameters of each attribute that needs any. */
function parametersIn(
  prefix: string,
  attributes: Attributes,
  model: SourceModel,
  depth: Depth,
): readonly (readonly string[])[] {
  depth.steps.count += Object.keys(attributes).length;
  if (depth.steps.count > MOST_STEPS) throw new UserError('Components hold more components than can be asked for');
  if (depth.level > MOST_LEVELS) throw new UserError(`Components lie more than ${MOST_LEVELS} deep in each other`);
  return Object.entries(attributes).flatMap(([name, json]) => {
    const part = partOf(name, json, model);
    const at = `${prefix}${key(name)}`;
    if (part.kind === 'media') return [[`${at}[fields][0]=documentId`]];
    if (part.kind === 'relation') return [targetParameters(at, part.target, model)];
    if (part.kind !== 'components' || part.uids.length === 0) return [];
    if (part.zone) return [part.uids.flatMap((uid) => componentParameters(`${at}[on]${key(uid)}`, uid, model, depth))];
    return [componentParameters(at, part.uids[0] ?? '', model, depth)];
  });
}

const sizeOf = (parameters: readonly string[]): number => parameters.join('&').length;

/**
 * Queries that ask for everything of a type, one after the other; most types need one.
 * @throws UserError for an attribute that no address has room for.
 */
export function populateQueries(uid: string, attributes: Attributes, model: SourceModel): readonly string[] {
  const groups: string[][] = [[]];
  for (const parameters of parametersIn('populate', attributes, model, { level: 0, steps: { count: 0 } })) {
    if (sizeOf(parameters) > MOST_CHARACTERS || parameters.length > MOST_PARAMETERS)
      throw new UserError(`${uid} has an attribute with more components than one request can ask for`);
    const last = groups.at(-1) ?? [];
    const fits =
      sizeOf(last) + sizeOf(parameters) < MOST_CHARACTERS && last.length + parameters.length <= MOST_PARAMETERS;
    if (fits) last.push(...parameters);
    else groups.push([...parameters]);
  }
  return groups.map((group) => group.join('&'));
}
