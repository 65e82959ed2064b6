/**
 * @module The options of `npm run generate` that declare renames: `--rename article.oldName=newName`,
 * `--rename-type oldType=newType` and `--rename-component old.uid=new.uid`.
 */
import { UserError } from '../core/terminal.ts';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export interface AttributeRename extends Rename {
  /** As it was written, or the uid that it means; see `rename-names.ts`. */
  readonly type: string;
}

export interface Renames {
  readonly attributes: readonly AttributeRename[];
  /** Names of content types as they were written, or their tables. */
  readonly tables: readonly Rename[];
  /** `category.name`, or `category`. */
  readonly components: readonly Rename[];
}

export const NO_RENAMES: Renames = { attributes: [], tables: [], components: [] };

export const joinRenames = (all: readonly Renames[]): Renames => ({
  attributes: all.flatMap(({ attributes }) => attributes),
  tables: all.flatMap(({ tables }) => tables),
  components: all.flatMap(({ components }) => components),
});

/** @throws UserError for options in another form. */
export function parseRenames(
  attributes: readonly string[],
  tables: readonly string[],
  components: readonly string[] = [],
): Renames {
  return {
    attributes: attributes.map(parseAttribute),
    tables: tables.map(parseTable),
    components: components.map(parseComponent),
  };
}

function parseAttribute(text: string): AttributeRename {
  const [, type, from, to] = /^(.+)\.([\w-]+)=(?:\1\.)?([\w-]+)$/.exec(text) ?? [];
  if (!type || !from || !to) throw new UserError(`--rename ${text}: expected type.oldName=newName`);
  return { type, from, to };
}

function parseTable(text: string): Rename {
  const [, from, to] = /^([\w:.-]+)=([\w:.-]+)$/.exec(text) ?? [];
  if (!from || !to) throw new UserError(`--rename-type ${text}: expected oldType=newType`);
  return { from, to };
}

function parseComponent(text: string): Rename {
  const [, from, to] = /^([\w-]+(?:\.[\w-]+)?)=([\w-]+(?:\.[\w-]+)?)$/.exec(text) ?? [];
  if (!from || !to || from.includes('.') !== to.includes('.'))
    throw new UserError(
      `--rename-component ${text}: expected category.oldName=category.newName, or oldCategory=newCategory`,
    );
  return { from, to };
}
