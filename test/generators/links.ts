/**
 * @module What a body may say of a relation, in every form, each with what becomes of the links. Written from
 * docs/writing.md, without the code that plans writes.
 */
import fc from 'fast-check';

/** A document as bodies name it. */
export interface Target {
  /** The document itself, in the lists of links. */
  readonly ref: string;
  /** One of the ways to name it. */
  readonly name: unknown;
  /** Its keys, beside those of a position. */
  readonly keys: object;
  /** Names it as the one before or after which another takes its place; `keys` may be needed with it. */
  readonly anchor: unknown;
  /** Further keys of a position that names it. */
  readonly anchorKeys?: object;
}

export type Change = (present: readonly string[]) => readonly string[];
export type Input = readonly [sent: unknown, change: Change];
type Inputs = fc.Arbitrary<Input>;

const names = (targets: readonly Target[]): readonly unknown[] => targets.map(({ name }) => name);
const refs = (targets: readonly Target[]): readonly string[] => targets.map(({ ref }) => ref);
const without = (list: readonly string[], gone: readonly Target[]): readonly string[] =>
  list.filter((ref) => !refs(gone).includes(ref));

const input = (sent: unknown, change: Change): Input => [sent, change];

/** @param target undefined if there is none */
const someOf = (target: fc.Arbitrary<Target> | undefined, maxLength: number): fc.Arbitrary<Target[]> =>
  target ? fc.uniqueArray(target, { maxLength, selector: ({ ref }) => ref }) : fc.constant([]);

const ended = (sent: readonly unknown[]): Inputs => fc.constantFrom(...sent).map((each) => input(each, () => []));

/** Lists in the place of what is there. */
export function replacedLinks(target: fc.Arbitrary<Target> | undefined): Inputs {
  const list = someOf(target, 3);
  return fc.oneof(
    list.map((all) => input(names(all), () => refs(all))),
    list.map((all) => input({ set: names(all) }, () => refs(all))),
    ended([null, [], { set: [] }, [[]]]),
    fc.constant(input({}, (present) => present)),
  );
}

const PLACES = ['start', 'end', 'before', 'after'] as const;

/** A target that takes its place at an end, or beside another one. */
const placedLink = (target: fc.Arbitrary<Target>, anchor: fc.Arbitrary<Target> | undefined): Inputs =>
  fc.tuple(target, anchor ?? target, fc.constantFrom(...PLACES)).map(([one, other, place]) => {
    // A document in another locale is no anchor for itself.
    const at = (anchor && one.anchor !== other.anchor) || place === 'start' ? place : 'end';
    const position = at === 'start' || at === 'end' ? { [at]: true } : { [at]: other.anchor, ...other.anchorKeys };
    return input({ connect: [{ ...one.keys, position }] }, (present) => {
      const rest = without(present, [one]);
      if (at === 'start') return [one.ref, ...rest];
      const index = rest.indexOf(other.ref);
      return at === 'end' || index < 0
        ? [...rest, one.ref]
        : rest.toSpliced(at === 'before' ? index : index + 1, 0, one.ref);
    });
  });

/** @param anchor targets that are linked, beside which others may take their place */
export function manyLinks(target: fc.Arbitrary<Target> | undefined, anchor: fc.Arbitrary<Target> | undefined): Inputs {
  const [joining, leaving] = [someOf(target, 2), someOf(target, 2)];
  const joined =
    (all: readonly Target[]): Change =>
    (present) => [...without(present, all), ...refs(all)];
  return fc.oneof(
    { weight: 4, arbitrary: replacedLinks(target) },
    fc
      .tuple(joining, leaving)
      .map(([come, go]) =>
        input({ connect: names(come), disconnect: names(go) }, (present) => joined(come)(without(present, go))),
      ),
    joining.map((come) => input({ connect: names(come) }, joined(come))),
    leaving.map((go) => input({ disconnect: names(go) }, (present) => without(present, go))),
    ...(target
      ? [
          { weight: 2, arbitrary: placedLink(target, anchor) },
          target.map((one) => input({ connect: one.name }, joined([one]))),
          target.map((one) => input(one.name, () => [one.ref])),
        ]
      : []),
  );
}

/** One target, or none, in the place of what is there. */
export const namedLink = (target: fc.Arbitrary<Target> | undefined): Inputs =>
  fc.oneof(
    ended([null, [], { set: [] }]),
    ...(target ? [{ weight: 2, arbitrary: target.map((one) => input(one.name, () => [one.ref])) }] : []),
  );

/** @param ofList which one of a list is kept: the last of a relation, the first of a file */
export function oneLink(target: fc.Arbitrary<Target> | undefined, ofList: 'first' | 'last'): Inputs {
  if (!target) return namedLink(target);
  const two = fc.tuple(target, target);
  const connected = [
    target.map((one) => input({ connect: [one.name] }, () => [one.ref])),
    two.map(([one, other]) => input({ connect: one.name, disconnect: [other.name] }, () => [one.ref])),
  ];
  return fc.oneof(
    { weight: 3, arbitrary: namedLink(target) },
    target.map((one) => input({ set: [one.name] }, () => [one.ref])),
    two.map((both) => input(names(both), () => [both[ofList === 'first' ? 0 : 1].ref])),
    target.map((one) => input({ disconnect: [one.name] }, (present) => without(present, [one]))),
    // A file that is connected beside another one waits behind it, unseen.
    ...(ofList === 'first' ? [] : connected),
  );
}
