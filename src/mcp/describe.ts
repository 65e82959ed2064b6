/**
 * @module Content types as a model reads them: one line for each attribute that the caller may read or write.
 */
import { type Action, actionId, type Grants, ruleOf } from '../auth/grants.ts';
import { type Attribute, type ContentType, isHidden, type Registry } from '../registry/model.ts';

/** What the caller may see of the model. */
export interface View {
  readonly registry: Registry;
  readonly grants: Grants;
}

const ACTIONS = [
  'find',
  'findOne',
  'create',
  'update',
  'delete',
  'readDrafts',
  'publish',
  'unpublish',
  'discardDraft',
  'history',
  'restore',
  'previewLink',
] as const satisfies readonly Action[];

export const allows = ({ grants }: View, { uid }: ContentType, action: Action): boolean =>
  grants.allows(actionId(uid, action));

/** May the caller read documents of the type? */
export const isReadable = (view: View, type: ContentType): boolean =>
  allows(view, type, 'find') || allows(view, type, 'findOne');

/** The name of a type in tools: that of its path. */
export const nameOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

/** Types with a path. */
export const routedTypes = ({ registry }: Pick<View, 'registry'>): readonly ContentType[] =>
  [...registry.contentTypes.values()].filter((type) => !type.system);

const isKnown = (view: View, type: ContentType): boolean => ACTIONS.some((action) => allows(view, type, action));

/** Those that the caller may use in any way. */
export const knownTypes = (view: View): readonly ContentType[] =>
  routedTypes(view).filter((type) => isKnown(view, type));

function rangeOf(min: number | undefined, max: number | undefined, unit: string): readonly string[] {
  if (min === undefined && max === undefined) return [];
  if (min === undefined) return [`at most ${max}${unit}`];
  return [max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`];
}

/** Values of an enumeration in a line. */
const MAX_VALUES = 30;

const listed = (values: readonly string[]): string =>
  values.length > MAX_VALUES ? `${values.slice(0, MAX_VALUES).join(', ')}, … (${values.length})` : values.join(', ');

/** Returns undefined for what no request names. */
function kindOf(attribute: Attribute, view: View): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.enum ? `one of ${listed(attribute.enum)}` : attribute.type;
    case 'relation': {
      const target = view.registry.contentTypes.get(attribute.target);
      if (!target || (!target.system && !isReadable(view, target))) return undefined;
      return `relation to ${attribute.multiple ? 'many' : 'one'} of ${target.system ? target.uid : nameOf(target)}`;
    }
    case 'polymorphic':
      return `relation to ${attribute.multiple ? 'many documents' : 'a document'} of any type: {"documentId", "__type"}`;
    case 'media':
      return `${attribute.multiple ? 'files' : 'one file'}${attribute.allowedTypes.length > 0 ? ` (${attribute.allowedTypes.join(', ')})` : ''}`;
    case 'component':
      return `${attribute.repeatable ? 'list of component' : 'component'} ${attribute.component}`;
    case 'dynamiczone':
      return `zone: list of components with "__component", each of ${listed(attribute.components)}`;
    default:
      return undefined;
  }
}

interface Rights {
  /** Has the type locales? */
  readonly isLocalized: boolean;
  readonly reads: (name: string) => boolean;
  readonly writes: (name: string) => boolean;
}

/** What an attribute takes, and its rules. */
type Line = readonly [kind: string, ...rules: string[]];

function lineOf(attribute: Attribute, view: View, { reads, writes, isLocalized }: Rights): Line | undefined {
  const kind = kindOf(attribute, view);
  const isRead = !isHidden(attribute) && reads(attribute.name);
  const isWritten = attribute.writable && writes(attribute.name);
  if (kind === undefined || (!isRead && !isWritten)) return undefined;
  const scalar = attribute.kind === 'scalar' ? attribute : undefined;
  const list = attribute.kind === 'component' || attribute.kind === 'dynamiczone' ? attribute : undefined;
  return [
    kind,
    ...(attribute.required ? ['required'] : []),
    ...(scalar?.unique ? ['unique'] : []),
    ...rangeOf(scalar?.minLength, scalar?.maxLength, ' characters'),
    ...rangeOf(scalar?.min, scalar?.max, ''),
    ...rangeOf(list?.min, list?.max, ' entries'),
    ...(scalar?.default === undefined ? [] : [`default ${JSON.stringify(scalar.default)}`.slice(0, 60)]),
    ...(attribute.localized && isLocalized ? ['localized'] : []),
    ...(isRead ? [] : ['write only']),
    ...(isWritten ? [] : ['read only']),
  ];
}

type NamedLine = readonly [name: string, line: Line];

const linesOf = (attributes: ReadonlyMap<string, Attribute>, view: View, rights: Rights): readonly NamedLine[] =>
  [...attributes].flatMap(([name, attribute]) => {
    const line = lineOf(attribute, view, rights);
    return line === undefined ? [] : [[name, line] as const];
  });

type Texts = Readonly<Record<string, string>>;

const textsOf = (lines: readonly NamedLine[]): Texts =>
  Object.fromEntries(lines.map(([name, line]) => [name, line.join('; ')]));

function rightsOf(view: View, type: ContentType): Rights {
  const covers = (action: Action) => {
    const fields = ruleOf(view.grants, type.uid, action)?.fields;
    return (name: string) => allows(view, type, action) && fields?.has(name) !== false;
  };
  const [find, findOne, create, update] = (['find', 'findOne', 'create', 'update'] as const).map(covers);
  return {
    isLocalized: type.localized,
    reads: (name) => find?.(name) === true || findOne?.(name) === true,
    writes: (name) => create?.(name) === true || update?.(name) === true,
  };
}

/** The uids of components that attributes hold, and of those inside. */
function componentsIn(
  attributes: ReadonlyMap<string, Attribute>,
  registry: Registry,
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const attribute of attributes.values()) {
    const own =
      attribute.kind === 'component'
        ? [attribute.component]
        : attribute.kind === 'dynamiczone'
          ? attribute.components
          : [];
    for (const uid of own.filter((each) => !found.has(each))) {
      found.add(uid);
      componentsIn(registry.components.get(uid)?.attributes ?? new Map(), registry, found);
    }
  }
  return found;
}

export function describeComponent(uid: string, view: View): Texts | undefined {
  const component = view.registry.components.get(uid);
  const rights = { isLocalized: false, reads: () => true, writes: () => true };
  return component && textsOf(linesOf(component.attributes, view, rights));
}

/** The components of types that the caller may use. */
export const knownComponents = (view: View): readonly string[] => [
  ...new Set(knownTypes(view).flatMap(({ attributes }) => [...componentsIn(attributes, view.registry)])),
];

/** Characters of the description of one type. */
const MAX_DESCRIPTION = 9_500;

export const attributeNames = (type: ContentType, view: View): readonly string[] =>
  linesOf(type.attributes, view, rightsOf(view, type)).map(([name]) => name);

export const summaryOf = (type: ContentType, view: View) => ({
  type: nameOf(type),
  uid: type.uid,
  name: type.displayName,
  ...(type.description !== '' && { description: type.description.slice(0, 200) }),
  kind: type.kind,
  hasDrafts: type.draftAndPublish,
  hasLocales: type.localized,
  may: ACTIONS.filter((action) => allows(view, type, action)),
});

/** Shortens what long lines say an attribute takes, and none of its rules, where all of them would be too long. */
function fitted(lines: readonly NamedLine[]): Texts {
  const whole = textsOf(lines);
  if (JSON.stringify(whole).length <= MAX_DESCRIPTION - 1_000) return whole;
  const room = Math.floor((MAX_DESCRIPTION - 1_000) / lines.length);
  const shortened = ([name, [kind, ...rules]]: NamedLine): NamedLine => {
    const most = Math.max(10, room - name.length - 8 - rules.join('; ').length);
    return [name, [kind.length > most ? `${kind.slice(0, most)}…` : kind, ...rules]];
  };
  return textsOf(lines.map(shortened));
}

/** Components are left out where the description would be too long: they can be described one by one. */
export function describeType(type: ContentType, view: View) {
  const own = { ...summaryOf(type, view), attributes: fitted(linesOf(type.attributes, view, rightsOf(view, type))) };
  const uids = [...componentsIn(type.attributes, view.registry)];
  const components = Object.fromEntries(uids.map((uid) => [uid, describeComponent(uid, view)]));
  const whole = { ...own, ...(uids.length > 0 && { components }) };
  if (JSON.stringify(whole).length <= MAX_DESCRIPTION) return whole;
  const note = 'Components are left out: call describe with "component"';
  return { ...own, components: uids.slice(0, 100), note };
}
