/**
 * @module The world of the test as a caller knows it.
 */
import fc from 'fast-check';
import type { ContentType } from '../../../src/schema/model.ts';
import { either, type Subject } from '../../generators/subject.ts';
import { bodyOf } from './bodies.ts';
import { idNamed } from './chance.ts';
import { registry } from './model.ts';
import { documentIdOf, HIDDEN_FRENCH, nameOf, TYPE_NAMES } from './names.ts';
import { grammarOf, typeOf } from './queries.ts';
import { actionsOf, grantOf } from './rights.ts';
import { WORDS } from './values.ts';

/** Types by how much there is to find out about them. */
const WEIGHTED = [
  ...TYPE_NAMES,
  'story',
  'story',
  'story',
  'chapter',
  'remark',
  'child',
  'menu',
  'poster',
  'poster',
].map(typeOf);
const anyType = fc.constantFrom(...WEIGHTED);

const files = fc.constantFrom(...['{file1}', '{file2}', '{fileh1}', '{file9}', idNamed('fileh1'), idNamed('file1')]);

const hex = (text: string): string => [...text].map((each) => each.charCodeAt(0).toString(16)).join('');

/** Whether a hidden locale is there cannot be hidden from who may create it. */
const localesOf = (name: string): readonly string[] => (HIDDEN_FRENCH.includes(name) ? ['de', 'en'] : ['fr', 'de']);

function namedDocument({ singularName }: ContentType) {
  const versions = fc.constantFrom('', '', '/en/draft', '/en/published', '/fr/published');
  return nameOf(singularName).map((name) => ({
    documentId: documentIdOf(name),
    row: versions.map((version) => (version && name !== '{new}' ? `{${name}${version}}` : documentIdOf(name))),
    locales: localesOf(name),
  }));
}

export const subjectOf = (caller: string): Subject => ({
  registry,
  may: (action) => actionsOf(caller).some((id) => id.endsWith(`.${action}`)),
  typeFor(action, isFitting = () => true) {
    const granted = WEIGHTED.filter((type) => isFitting(type) && grantOf(caller, action, type.uid));
    return granted.length > 0 ? either(20, fc.constantFrom(...granted), anyType) : anyType;
  },
  documentOf: namedDocument,
  grammarOf: (type) => grammarOf(type, caller),
  bodyOf: ({ singularName }, action) => bodyOf(singularName, caller, action),
  fileId: () => files,
  // See `chance.ts`.
  hiddenEntry: fc.nat(4).map((index) => hex(`hidden${index}1`.padStart(12, '.'))),
  words: [...WORDS, 'hidden-1', 'code-1', 'story', 'secret', 'taken', 'title'],
  others: ['full', 'edda', 'zoe', 'public'],
});
