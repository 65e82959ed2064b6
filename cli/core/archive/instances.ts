/**
 * @module Components and zones, whose instances an archive has in the row.
 */
import { isObject, type JsonObject } from '../../../src/common/json.ts';
import { isList } from '../../../src/content/plan/model/component-attributes.ts';
import type { ComponentAttribute, DynamicZoneAttribute } from '../../../src/schema/model.ts';

/**
 * Rebuilds the value of a component or zone.
 * @param instanceOf gets each instance, and the uid of its component.
 * @param reject gets the uid of each component that the zone does not allow; its instances are left out.
 */
export function mapInstances(
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  instanceOf: (item: JsonObject, uid: string) => object,
  reject: (uid: string) => void = () => undefined,
): unknown {
  const instances = (Array.isArray(value) ? value : [value]).filter(isObject).flatMap((item) => {
    if (attribute.kind === 'component') return [instanceOf(item, attribute.component)];
    const uid = String(item.__component);
    if (attribute.components.includes(uid)) return [{ ...instanceOf(item, uid), __component: uid }];
    reject(uid);
    return [];
  });
  return isList(attribute) ? instances : (instances[0] ?? null);
}
