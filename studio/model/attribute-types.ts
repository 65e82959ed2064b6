/**
 * @module One entry per type of attributes: what several screens know of it. Inputs, filters and columns are in records
 * over all types of their own, which do not compile until they have a new one.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';

interface TypeFacts {
  /** Does the API show it only with `populate`? */
  readonly isPopulated?: true;
  /** Does no response show it? */
  readonly isPassword?: true;
  /** Are values unique and part of addresses, whatever the attribute says? */
  readonly isSlug?: true;
  /** Does each locale have its own value, whatever the attribute says? */
  readonly isLocalized?: true;
  readonly isNumber?: true;
  readonly isMoment?: true;
  /** Characters without a `maxLength`. */
  readonly maxLength?: number;
  /** Is its input as wide as the form? */
  readonly isWide?: true;
  /** Which attribute names a document: one of the lowest rank; absent: none of the type. */
  readonly titleRank?: 1 | 2 | 3;
  /** The same for entries of components. */
  readonly entryRank?: 1 | 2;
}

const number = { isNumber: true } as const;
const moment = { isMoment: true } as const;

export const TYPES: Readonly<Record<AttributeType, TypeFacts>> = {
  string: { titleRank: 1, entryRank: 1, maxLength: 255 },
  text: { titleRank: 2, entryRank: 1, isWide: true },
  richtext: { entryRank: 1, isWide: true },
  email: { titleRank: 2, entryRank: 1 },
  uid: { titleRank: 2, entryRank: 1, isSlug: true, isLocalized: true },
  enumeration: { titleRank: 3, entryRank: 2 },
  password: { isPassword: true },
  ...sameFor(['integer', 'biginteger', 'decimal', 'float'], number),
  boolean: {},
  ...sameFor(['date', 'datetime'], { ...moment, titleRank: 3 } as const),
  time: moment,
  ...sameFor(['json', 'blocks'], { isWide: true } as const),
  relation: { isPopulated: true, isLocalized: true },
  media: { isPopulated: true },
  ...sameFor(['component', 'dynamiczone'], { isPopulated: true, isWide: true } as const),
};

/** Returns the names of attributes with a rank: the main field, then the lowest. */
export const ranked = (
  attributes: Readonly<Record<string, { readonly type: AttributeType }>>,
  mainField: string | undefined,
  rank: 'titleRank' | 'entryRank',
): readonly string[] =>
  Object.entries(attributes)
    .flatMap(([name, { type }]) => {
      const own = TYPES[type][rank];
      return own ? [[name, name === mainField ? 0 : own] as const] : [];
    })
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name);
