/**
 * @module Former versions: their lists, one of them, and its restoration.
 */
import fc from 'fast-check';
import { nameOf } from '../names.ts';
import { documentPath, withQuery } from '../requests.ts';
import { requested, type Step } from '../step.ts';

const KEPT = ['story', 'story', 'chapter', 'sheet', 'board', 'child', 'leaflet'];
const shown = fc.constantFrom('', 'populate=*', 'fields=title', 'pagination[limit]=1');

/** Lists, then shows or restores the newest version of the list, or one of another document. */
export const ofOne = (): fc.Arbitrary<readonly Step[]> =>
  fc.constantFrom(...KEPT).chain((type) =>
    fc
      .tuple(nameOf(type), nameOf(type), shown, fc.boolean(), fc.boolean())
      .map(([one, other, query, restores, isSame]) => {
        const listed = documentPath(type, one);
        const path = isSame ? listed : documentPath(type, other);
        const list = requested({
          method: 'GET',
          path: withQuery(`${listed}/history`, query.startsWith('pag') ? query : ''),
        });
        const next = restores
          ? { method: 'POST', path: `${path}/actions/restore`, json: { data: { revision: '{revision}' } } }
          : { method: 'GET', path: withQuery(`${path}/history/{revision}`, query.startsWith('pag') ? '' : query) };
        return [list, requested(next)];
      }),
  );

const narrowed = fc.constantFrom(
  ...['', 'pagination[limit]=1', 'pagination[limit]=3', 'operation=delete,restore', 'operation=update'],
  ...['by=user', 'type=api::story.story', 'type=api::chapter.chapter&pagination[limit]=2'],
);

/** The last changes of everything. */
const ofAll = (): fc.Arbitrary<readonly Step[]> =>
  narrowed.map((query) => [requested({ method: 'GET', path: withQuery('/api/history', query) })]);

export const history = (): fc.Arbitrary<readonly Step[]> =>
  fc.oneof({ weight: 3, arbitrary: ofOne() }, { weight: 1, arbitrary: ofAll() });
