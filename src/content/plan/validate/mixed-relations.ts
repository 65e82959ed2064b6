/**
 * @module Rejects relations of a body with `connect` or `disconnect` beside `set`.
 */
import { type Issue, invalidDocument } from '../../../common/errors.ts';
import { ownValue } from '../../../common/json.ts';
import type { Registry } from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, instancesIn } from '../model/component-attributes.ts';
import { linkAttributes } from '../model/links.ts';
import { isMixed } from '../relations/relation-input.ts';
import { printPath } from './issues.ts';

function mixedPaths(
  data: InputData,
  attributes: Attributes,
  registry: Registry,
  path: Issue['path'] = [],
): readonly Issue['path'][] {
  const own = linkAttributes(attributes).filter(({ name }) => isMixed(ownValue(data, name)));
  const nested = Object.entries(data).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    const instances = attribute ? instancesIn(attribute, value, registry) : [];
    return instances.flatMap(([item, inner, at]) => mixedPaths(item, inner, registry, [...path, name, ...at]));
  });
  return [...own.map(({ name }) => [...path, name]), ...nested];
}

export const mixedIssue = (path: Issue['path']): Issue => ({
  path,
  message: `${printPath(path)} has "set" beside "connect" or "disconnect". Expected "set" alone, or the others`,
});

/** @throws ApiError 400 with the paths of all such relations, those in components and zones included */
export function rejectMixed(data: InputData, attributes: Attributes, registry: Registry): void {
  const issues = mixedPaths(data, attributes, registry).map((path) => mixedIssue(path));
  if (issues.length > 0) throw invalidDocument(issues);
}
