/**
 * @module Writes that tell most of what writing is, in order. Their content model is `story-model.ts`.
 */

type Names = Readonly<Record<string, string>>;

const actions = (name: string, ...names: readonly string[]) => names.map((each) => `api::${name}.${name}.${each}`);
const FIND = ['find', 'findOne', 'readDrafts'];

/** What a caller has who may see some of the documents, and write some. */
export const LIMITED = [
  { action: actions('topic', ...FIND), where: { name: { $ne: 'Hidden' } } },
  { action: actions('person', ...FIND), where: { name: { $ne: 'Ben' } } },
  { action: actions('room', ...FIND), where: { name: { $notNull: true } } },
  { action: actions('story', ...FIND, 'update', 'publish', 'discardDraft'), where: { title: { $ne: 'Secret' } } },
  { action: actions('topic', 'update', 'create', 'delete'), where: { name: { $ne: 'Fixed' } } },
  ...actions('plan', ...FIND, 'update'),
];

export interface GoldenWrite {
  /** Is it made by a caller with `LIMITED`? */
  readonly isLimited?: boolean;
  /** Names the document that it creates. */
  readonly as?: string;
  /** Method and path, where `<name>` stands for the documentId of a document. */
  readonly send: string;
  readonly body?: ((names: Names) => unknown) | undefined;
}

const data =
  (value: (names: Names) => object): GoldenWrite['body'] =>
  (names) => ({ data: value(names) });
const item = (type: string, documentId: string | undefined) => ({ __type: `api::${type}.${type}`, documentId });

/** File name → the write. */
export const WRITES: Readonly<Record<string, GoldenWrite>> = {
  'create-plain': { as: 'sea', send: 'POST topics', body: data(() => ({ name: 'Sea' })) },
  'create-another': { as: 'land', send: 'POST topics', body: data(() => ({ name: 'Land' })) },
  'create-published': { as: 'ann', send: 'POST people', body: data(() => ({ name: 'Ann' })) },
  'create-draft': { as: 'ben', send: 'POST people?status=draft', body: data(() => ({ name: 'Ben' })) },
  'create-localized': { as: 'hall', send: 'POST rooms', body: data(({ sea }) => ({ name: 'Hall', topic: sea })) },
  'create-everything': {
    as: 'one',
    send: 'POST stories',
    body: data(({ sea, land, ann, ben, hall }) => ({
      title: 'One',
      code: 'c1',
      slug: 'one',
      year: 2000,
      note: 'n1',
      weight: 1.5,
      topics: [sea, land],
      author: ann,
      picks: [ann, ben],
      room: hall,
      items: [item('topic', sea), item('person', ann), item('topic', land)],
      parts: [{ key: 'k1', person: ann, quote: { text: 'q1', topics: [sea] } }, { key: 'k2' }],
      zone: [
        { __component: 'kit.quote', text: 'z1', topics: [land, sea] },
        { __component: 'kit.part', key: 'z2', person: ben },
      ],
    })),
  },
  'create-taking-over': {
    as: 'two',
    send: 'POST stories',
    body: data(({ one, ann, hall }) => ({ title: 'Two', code: 'c2', prequel: one, picks: [ann], room: hall })),
  },
  'create-draft-with-links': {
    as: 'three',
    send: 'POST stories?status=draft',
    body: data(({ one, two, land }) => ({ title: 'Three', sequel: two, prequel: one, topics: [land] })),
  },
  'create-locale': { send: 'PUT stories/<one>?locale=fr', body: data(() => ({ title: 'Un', slug: 'un' })) },
  'update-shared-values': {
    send: 'PUT stories/<one>',
    body: data(({ land }) => ({ title: 'First', year: 2001, weight: 2, note: 'n2', topics: [land] })),
  },
  'update-shared-draft': { send: 'PUT stories/<one>?status=draft&locale=fr', body: data(() => ({ year: 2002 })) },
  'connect-at-positions': {
    send: 'PUT topics/<sea>',
    body: data(({ one, two, three, sea }) => ({
      name: `Sea of ${sea ? 'calm' : ''}`,
      stories: {
        connect: [
          { documentId: one, position: { start: true } },
          { documentId: two, position: { end: true } },
          { documentId: three, status: 'draft', position: { after: one } },
        ],
      },
    })),
  },
  'connect-and-disconnect': {
    send: 'PUT stories/<two>',
    body: data(({ sea, land, ben, ann }) => ({
      topics: { connect: [{ documentId: land, position: { before: sea } }] },
      picks: { connect: [ben], disconnect: [ann] },
      author: { connect: [ann] },
    })),
  },
  'connect-typed': {
    send: 'PUT stories/<one>?status=draft',
    body: data(({ sea, ben, land }) => ({
      items: {
        connect: [{ ...item('person', ben), position: { before: sea, __type: 'api::topic.topic' } }],
        disconnect: [item('topic', land)],
      },
    })),
  },
  'set-nothing': { send: 'PUT stories/<two>', body: data(() => ({ topics: [], author: null, picks: { set: [] } })) },
  'update-components': {
    send: 'PUT stories/<two>?status=draft',
    body: data(({ ann, ben }) => ({
      parts: [
        { key: 'k3', person: ann },
        { key: 'k4', person: ben },
      ],
    })),
  },
  'link-typed-in-a-plain-type': {
    as: 'board',
    send: 'POST boards',
    body: data(({ one, sea }) => ({ title: 'Board', items: [item('story', one), item('topic', sea)] })),
  },
  publish: { send: 'POST stories/<three>/actions/publish' },
  'publish-again': { send: 'POST stories/<one>/actions/publish' },
  'discard-draft': { send: 'POST stories/<two>/actions/discard-draft' },
  unpublish: { send: 'POST stories/<three>/actions/unpublish' },
  'publish-a-target': { send: 'POST people/<ben>/actions/publish' },
  'unpublish-a-target': { send: 'POST people/<ann>/actions/unpublish' },
  'publish-with-links-to-unpublished': { send: 'POST stories/<one>/actions/publish' },
  'single-type': { send: 'PUT home', body: data(({ sea, land }) => ({ title: 'Home', topics: [sea, land] })) },
  'single-type-again': { send: 'PUT home', body: data(({ land }) => ({ topics: [land] })) },
  'update-a-locale': { send: 'PUT rooms/<hall>?locale=fr', body: data(() => ({ name: 'Salle' })) },
  'delete-a-locale': { send: 'DELETE stories/<one>?locale=fr' },
  'delete-filtered': { send: 'DELETE stories/<two>?filters[code]=c2' },
  'delete-a-target': { send: 'DELETE topics/<sea>' },
  'delete-a-version': { send: 'DELETE people/<ben>' },
  'delete-a-single-type': { send: 'DELETE home' },
  'create-with-both-versions-of-links': {
    as: 'plan',
    send: 'POST plans',
    body: data(({ one, ann, hall, land }) => ({
      name: 'Plan',
      stories: [one],
      items: [item('story', one), item('room', hall), item('topic', land), item('person', ann)],
    })),
  },
  'move-typed': {
    send: 'PUT plans/<plan>',
    body: data(({ one, hall, land }) => ({
      items: {
        connect: [
          { ...item('room', hall), position: { start: true } },
          { ...item('topic', land), position: { after: one, __type: 'api::story.story' } },
        ],
      },
    })),
  },
  'publish-typed': { send: 'POST plans/<plan>/actions/publish' },
  'discard-typed': { send: 'POST plans/<plan>/actions/discard-draft' },
  'take-over-from-the-other-side': { send: 'PUT people/<ann>', body: data(({ one }) => ({ stories: [one] })) },
  'take-over-a-sequel-from-the-other-side': {
    send: 'PUT stories/<three>?status=draft',
    body: data(({ one }) => ({ prequel: one, picks: [] })),
  },
  'limited-links': {
    isLimited: true,
    send: 'PUT stories/<one>',
    body: data(({ land, hall }) => ({ topics: [land], room: hall, picks: [] })),
  },
  'limited-connection': {
    isLimited: true,
    send: 'PUT stories/<one>?status=draft',
    body: data(({ land, one }) => ({
      topics: { connect: [{ documentId: land, position: { start: true } }] },
      items: { connect: [item('topic', land)], disconnect: [item('story', one)] },
    })),
  },
  'limited-components': {
    isLimited: true,
    send: 'PUT stories/<one>?status=draft',
    body: data(({ ann, hall, land }) => ({
      parts: [{ key: 'k5', person: ann, room: hall, any: [item('topic', land)] }],
      zone: [{ __component: 'kit.quote', text: 'z3', topics: [land] }],
    })),
  },
  'limited-locale': {
    isLimited: true,
    send: 'PUT stories/<one>?locale=fr&status=draft',
    body: data(() => ({ title: 'Un' })),
  },
  'limited-publication': { isLimited: true, send: 'POST stories/<one>/actions/publish' },
  'limited-discarding': { isLimited: true, send: 'POST stories/<one>/actions/discard-draft' },
  'limited-types': {
    isLimited: true,
    send: 'PUT plans/<plan>',
    body: data(({ land, hall }) => ({
      items: { connect: [{ ...item('topic', land), position: { start: true } }, item('room', hall)] },
    })),
  },
  'limited-list-of-types': {
    isLimited: true,
    send: 'PUT plans/<plan>',
    body: data(({ one, land }) => ({ items: [item('story', one), item('topic', land)] })),
  },
  'limited-creation': {
    isLimited: true,
    send: 'POST topics',
    body: data(({ one }) => ({ name: 'Sand', stories: [one] })),
  },
  'limited-deletion': { isLimited: true, send: 'DELETE topics/<land>?filters[name]=Land' },
  'several-at-once': {
    send: 'POST batch',
    body: ({ board, one }) => ({
      requests: [
        { method: 'POST', path: '/api/topics', body: { data: { name: 'Sky', stories: [one] } } },
        { method: 'PUT', path: `/api/boards/${board}`, body: { data: { title: 'Plain' } } },
      ],
    }),
  },
};
