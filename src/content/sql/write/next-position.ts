/**
 * @module The position of a new link behind those of its row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { LINK_STEP } from '../../../schema/names.ts';
import { balanced, columnOf } from '../pieces.ts';
import { type LinkSide, ofSide } from '../versions.ts';

/**
 * The position behind the last link of a row, of which `of` returns columns.
 * @param isTyped does the side link to several types? The index then has the positions of each type apart.
 */
export function nextPosition(table: string, side: LinkSide, of: (column: string) => SQL, isTyped = false): SQL {
  const column = (name: string) => columnOf('$last', name);
  const type = column('target_type');
  const links = sql`
    from ${sql.identifier(table)} as "$last"
    where ${column(side.documentId)} = ${of('document_id')}
      and ${column(side.locale)} = ${of('locale')}
      and ${balanced([sql`${column('status')} = ${of('status')}`, ...ofSide('$last', side)], 'and')}`;
  const max = sql`select max(${column(side.position)}) ${links}`;
  if (!isTyped) return sql`coalesce((${max}), 0) + ${LINK_STEP}`;
  return sql`coalesce((
    with "$types" ("type") as (
      select min(${type}) ${links}
      union all
      select (select min(${type}) ${links} and ${type} > "$types"."type") from "$types" where "$types"."type" is not null
    )
    select max((${max} and ${type} = "$types"."type")) from "$types"
  ), 0) + ${LINK_STEP}`;
}
