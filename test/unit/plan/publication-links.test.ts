/**
 * @module The links that a publication, or a discarded draft, replaces.
 */
import { describe, expect, it } from 'vitest';
import { linkEndOf } from '../../../src/content/plan/model/link-tables.ts';
import type { LinkEnd } from '../../../src/content/plan/model/links.ts';
import { discardOp, publishedEnds } from '../../../src/content/plan/write/publication-ops.ts';
import type { ContentType, LinkAttribute } from '../../../src/schema/model.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { currentOf, requestOf } from './write-support.ts';

describe('the links to publish', () => {
  const files = (drafts: boolean) =>
    registryOf([
      contentType(
        'a',
        {
          plain: relation('manyToMany', 'b'),
          front: relation('manyToMany', 'b', { inversedBy: 'back' }),
          self: relation('manyToMany', 'a'),
          twins: relation('manyToMany', 'b', { mappedBy: 'twin' }),
          marks: relation('morphMany', 'd', { morphBy: 'any' }),
        },
        { drafts: true },
      ),
      contentType(
        'b',
        {
          back: relation('manyToMany', 'a', { mappedBy: 'front' }),
          aim: relation('manyToMany', 'a'),
          twin: relation('manyToMany', 'a', { inversedBy: 'twins' }),
        },
        { drafts: true },
      ),
      contentType('c', { aim: relation('manyToMany', 'a') }),
      contentType('d', { any: { type: 'relation', relation: 'morphToMany' } }, { drafts }),
    ]);
  const OWN = ['as_plain_lnk', 'as_front_lnk', 'as_self_lnk'];

  it.each<readonly [boolean, readonly string[], boolean, readonly string[]]>([
    [true, [], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk']],
    [true, ['twins', 'plain'], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk']],
    [true, ['marks'], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk', '-ds_any_mph!']],
    [false, [], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk', '-ds_any_mph']],
    [false, ['marks'], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk', '-ds_any_mph!']],
    [true, ['marks', 'plain'], true, ['-ds_any_mph', 'as_plain_lnk']],
    [true, [], true, []],
  ])(
    '(targets with drafts: %s) where %j are written, and the document is new: %s',
    (drafts, written, isNew, expected) => {
      const registry = files(drafts);
      const type = registry.contentTypes.get('api::a.a') as ContentType;
      const ends = written.map(
        (name) => linkEndOf(type.attributes.get(name) as LinkAttribute, type, registry) as LinkEnd,
      );
      const published = publishedEnds({ ...requestOf('note'), type, registry }, ends, isNew);
      const names = published.map(
        ({ tables, owner, isChanged }) => `${owner ? '' : '-'}${tables[0].name}${isChanged ? '!' : ''}`,
      );
      expect(names.toSorted()).toEqual([...expected].sort());
    },
  );

  it('to discard a draft are its own, and those of mutual relations', () => {
    const registry = files(true);
    const type = registry.contentTypes.get('api::a.a') as ContentType;
    const write = { ...requestOf('note'), type, registry, current: currentOf(), planned: new Map() };
    const op = discardOp(write, new Map(), { time: 5, nextId: () => 1, hashPassword: String });
    const names = 'ends' in op ? op.ends.map(({ tables, owner }) => `${owner ? '' : '-'}${tables[0].name}`) : [];
    expect(names.toSorted()).toEqual(['-bs_twin_lnk', ...OWN].sort());
  });
});
