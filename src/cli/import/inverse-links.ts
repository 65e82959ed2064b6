/**
 * @module Relations that were changed from their other side. Strapi gives a new time only to the document that was saved:
 * a tag that takes an article, say, and not to the article, which owns the link. So what a changed document shows of
 * articles that did not change is brought here as well.
 */
import type { ContentType } from '../../registry/model.ts';
import { LINK_STEP } from '../../registry/names.ts';
import type { Statement } from '../../sql/statement.ts';
import { identifier } from '../migrations/sql-text.ts';
import type { TellsLinks } from './gaps.ts';
import type { LinkSet } from './links.ts';
import type { TypesByUid } from './resolve-rows.ts';
import { ROW, type Staging } from './staging.ts';
import { linkLastStatement, unlinkOneStatement, unlinkStatement } from './statements.ts';

const MOST = 500;

interface Target {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly published: number;
}

/** A link as the database or the staging area has it. */
interface Shown {
  readonly source: string;
  readonly sourceLocale: string;
  readonly target: string;
  readonly targetLocale: string;
  readonly status: string;
}

const SHOWN = `
  select near.document_id as source, near.locale as sourceLocale, near.published as sourcePublished,
    near.state as state, coalesce(inverse_position, seq) as place
  from outer_links join rows as near on near.type = outer_links.type and near.id = outer_links.source
  where outer_links.type = ? and field = ? and target_type = ? and target = ?
  order by place`;

export interface InverseSet extends LinkSet {
  /** uid of the target in the archive. */
  readonly sourceOfTarget: string;
  readonly target: ContentType;
  /** Does the source of a link tell it as well? */
  readonly isTold: boolean;
}

/** The link sets whose links their targets show as well, as far as answers tell it. */
export function inverseSets(sets: readonly LinkSet[], types: TypesByUid, tells: TellsLinks): readonly InverseSet[] {
  return sets.flatMap((set) => {
    const attribute = set.source.attributes.get(set.attribute);
    const found = [...types].find(([, { uid }]) => uid === set.targetUid);
    if (!found || attribute?.kind !== 'relation' || attribute.inverse === undefined) return [];
    const [sourceOfTarget, target] = found;
    const isTold = tells(set.uid, set.attribute);
    return tells(sourceOfTarget, attribute.inverse) ? [{ ...set, sourceOfTarget, target, isTold }] : [];
  });
}

/** In which versions a target shows links. */
function statusesOf({ source, target }: InverseSet, { published }: Target): readonly string[] {
  if (target.draftAndPublish) return [published === 1 ? 'published' : 'draft'];
  return source.draftAndPublish ? ['draft', 'published'] : ['published'];
}

const keyOf = ({ source, sourceLocale, target, targetLocale, status }: Shown): string =>
  JSON.stringify([source, sourceLocale, target, targetLocale, status]);

const valuesOf = ({ source, sourceLocale, target, targetLocale, status }: Shown) =>
  [source, sourceLocale, target, targetLocale, status] as const;

type Wanted = Shown & { readonly place: number; readonly isKnown: boolean };

function wantedOf(set: InverseSet, target: Target, { prepare, numberOf }: Staging): readonly Wanted[] {
  const types = [numberOf(set.uid), numberOf(set.attribute), numberOf(set.sourceOfTarget)];
  return prepare(SHOWN)
    .all(...types, target.id)
    .map(({ source, sourceLocale, sourcePublished, state, place }) => {
      const own = set.source.draftAndPublish ? sourcePublished : target.published;
      return {
        ...{ source: String(source), sourceLocale: String(sourceLocale) },
        ...{ target: target.documentId, targetLocale: target.locale, status: own === 1 ? 'published' : 'draft' },
        ...{ place: Number(place), isKnown: state === ROW.known },
      };
    });
}

async function presentOf(db: D1Database, set: InverseSet, targets: readonly Target[]): Promise<readonly Shown[]> {
  const ends = targets.flatMap((target) =>
    statusesOf(set, target).map((status) => [target.documentId, target.locale, status]),
  );
  const { results } = await db
    .prepare(
      `select "source_document_id" as "source", "source_locale" as "sourceLocale", "target_document_id" as "target", "target_locale" as "targetLocale", "status" from ${identifier(set.table)} where ("target_document_id", "target_locale", "status") in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))`,
    )
    .bind(JSON.stringify(ends))
    .all<Shown>();
  return results;
}

/** What of the links of some targets has to change. */
async function changesOf(db: D1Database, set: InverseSet, targets: readonly Target[], staging: Staging) {
  const wanted = targets.flatMap((target) => wantedOf(set, target, staging));
  const keys = new Set(wanted.map(keyOf));
  const stale = (await presentOf(db, set, targets)).filter((link) => !keys.has(keyOf(link)));
  const added = wanted.filter(({ isKnown }) => isKnown || !set.isTold);
  return { stale, added };
}

/** A source that has one link at most loses the one that it had. */
const isSingle = ({ source, attribute }: InverseSet): boolean => {
  const declared = source.attributes.get(attribute);
  return declared?.kind === 'relation' && !declared.multiple;
};

function statementsOf(set: InverseSet, stale: readonly Shown[], added: readonly Wanted[]): readonly Statement[] {
  const { table } = set;
  const links = added.map((link) => [...valuesOf(link), link.place * LINK_STEP]);
  const single = isSingle(set) && added.length > 0;
  const ends = added.map(({ source, sourceLocale, status }) => [source, sourceLocale, status] as const);
  return [
    ...(stale.length > 0 ? [unlinkOneStatement(table, stale.map(valuesOf))] : []),
    ...(single ? [unlinkStatement(table, ends)] : []),
    ...(links.length > 0 ? [linkLastStatement(table, links)] : []),
  ];
}

const TARGETS = `select id, document_id as documentId, locale, published from rows where type = ? and state = ${ROW.taken}`;

/** Batches that bring the links of every target which was taken up to date. */
export async function* inverseStatements(
  db: D1Database,
  set: InverseSet,
  staging: Staging,
): AsyncGenerator<readonly Statement[]> {
  const targets = staging.prepare(TARGETS).all(staging.numberOf(set.sourceOfTarget)) as unknown as readonly Target[];
  for (let start = 0; start < targets.length; start += MOST) {
    const { stale, added } = await changesOf(db, set, targets.slice(start, start + MOST), staging);
    const statements = statementsOf(set, stale, added);
    if (statements.length > 0) yield statements;
  }
}
