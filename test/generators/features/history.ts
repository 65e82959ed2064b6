/**
 * @module Former versions: their lists, one of them, and its restoration.
 */
import fc from 'fast-check';
import { requested, type Step } from '../step.ts';
import { pathOf, type Subject, withQuery } from '../subject.ts';

const shown = fc.constantFrom('', 'populate=*', 'fields=title', 'pagination[limit]=1');

/** Lists, then shows or restores the newest version of the list, or one of another document. */
export const ofOne = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  subject.typeFor('history').chain((type) =>
    fc
      .tuple(subject.documentOf(type), subject.documentOf(type), shown, fc.boolean(), fc.boolean())
      .map(([one, other, query, restores, isSame]) => {
        const listed = `${pathOf(type)}/${one.documentId}`;
        const path = isSame ? listed : `${pathOf(type)}/${other.documentId}`;
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

const narrowed = ({ typeFor }: Subject): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('', 'operation=delete,restore', 'operation=update', 'by=user') },
    fc
      .tuple(typeFor('history'), fc.constantFrom('', '&pagination[limit]=2'))
      .map(([{ uid }, limit]) => `type=${uid}${limit}`),
    fc.constantFrom('pagination[limit]=1', 'pagination[limit]=3'),
  );

/** The last changes of everything. */
const ofAll = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  narrowed(subject).map((query) => [requested({ method: 'GET', path: withQuery('/api/history', query) })]);

export const history = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  fc.oneof({ weight: 3, arbitrary: ofOne(subject) }, { weight: 1, arbitrary: ofAll(subject) });
