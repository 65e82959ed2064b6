/**
 * @module What queries of clients may name, as TypeScript: the filters of each content type and component, and its model.
 */
import { targetUid } from '../../src/content/plan/model/links.ts';
import type { ApiShapes, Shape } from '../../src/features/description/shapes.ts';
import { namesDocuments } from '../../src/schema/lookup.ts';
import type { Attribute } from '../../src/schema/model.ts';
import type { PresetType } from './preset-types.ts';
import { listOf, type Member, membersOf, printInterface, quoted } from './print-types.ts';
import { filterType } from './scalar-types.ts';

/** Returns the type of `filters[attribute]`; undefined if no request may have one. */
function attributeFilter(attribute: Attribute, shape: Shape, shapes: ApiShapes): string | undefined {
  const through = (uid: string) => `${shapes.of(uid).name}Filters | RelationFilter`;
  switch (attribute.kind) {
    case 'scalar':
      return filterType(attribute);
    case 'relation':
    case 'media':
      return through(targetUid(attribute));
    case 'component':
      return through(attribute.component);
    case 'localizations':
      return through(shape.uid);
    case 'polymorphic':
    case 'dynamiczone':
    case 'creator':
    case 'related':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Returns `ArticleFilters`, the filters of a content type or component. */
export function printFilters(shape: Shape, shapes: ApiShapes): string {
  const name = `${shape.name}Filters`;
  const identity = [
    { name: 'id', optional: true, type: 'NumberFilter' },
    ...(shape.contentType ? [{ name: 'documentId', optional: true, type: 'TextFilter' }] : []),
  ];
  const attributes = shape.shown.flatMap((attribute): readonly Member[] => {
    const type = attributeFilter(attribute, shape, shapes);
    return type === undefined ? [] : [{ name: attribute.name, optional: true, type }];
  });
  const head = `${name} extends FilterGroups<${name}>`;
  return printInterface(`Filters of ${shape.name}`, head, [...identity, ...attributes]);
}

const modelsOf = (uids: readonly string[], shapes: ApiShapes): string =>
  uids.length > 0 ? uids.map((uid) => `${shapes.of(uid).name}Model<S>`).join(' | ') : 'never';

/** Returns the model of what an attribute shows when it is populated; undefined for one that shows nothing. */
function populatedModel(attribute: Attribute, shape: Shape, shapes: ApiShapes): string | undefined {
  const oneOrMany = (type: string, multiple: boolean) => (multiple ? listOf(type) : type);
  switch (attribute.kind) {
    case 'relation':
    case 'media':
      return oneOrMany(modelsOf([targetUid(attribute)], shapes), attribute.multiple);
    case 'component':
      return oneOrMany(modelsOf([attribute.component], shapes), attribute.repeatable);
    case 'localizations':
      return listOf(modelsOf([shape.uid], shapes));
    case 'polymorphic': {
      const targets = shapes.targets.map(({ uid }) => uid);
      return oneOrMany(`{ __type: ${modelsOf(targets, shapes)} }`, attribute.multiple);
    }
    case 'dynamiczone':
      return listOf(`{ __component: ${modelsOf(attribute.components, shapes)} }`);
    case 'related':
      return 'FileUseModel[]';
    case 'scalar':
    case 'creator':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Returns `ArticleModel`: documents with all that `populate` can bring, and the names that queries take. */
export function printModel(shape: Shape, shapes: ApiShapes, presets: readonly PresetType[], extended: boolean): string {
  const populate = shape.shown.flatMap((attribute) => {
    const type = populatedModel(attribute, shape, shapes);
    return type === undefined ? [] : [{ name: attribute.name, type }];
  });
  const own = presets.filter((preset) => preset.shape === shape.name);
  const hasLookups = extended && shape.contentType?.kind === 'collectionType' && !shape.contentType.system;
  const unique = hasLookups ? shape.shown.filter(namesDocuments) : [];
  return printInterface(
    `What queries of ${shape.name} may name, and what they bring`,
    `${shape.name}Model<S extends Status = 'published'>`,
    [
      { name: 'uid', type: quoted(shape.uid) },
      { name: 'document', type: `${shape.name}<S>` },
      { name: 'filters', type: `${shape.name}Filters` },
      { name: 'populate', type: `{ ${membersOf(populate)} }` },
      {
        name: 'presets',
        type: `{ ${membersOf(own.map(({ preset, name }) => ({ name: preset, type: `${name}<S>` })))} }`,
      },
      { name: 'unique', type: unique.map(({ name }) => quoted(name)).join(' | ') || 'never' },
    ],
  );
}
