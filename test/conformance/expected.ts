/**
 * @module The steps that are known to be answered otherwise than recorded: for good (`deliberate`, each with a line in
 * `docs/compatibility.md`), or until a feature is built (`pending`). Scenarios of `scenarios-lenient/` are called
 * `lenient/<name>`.
 */

/** Name of a step, or its index where a name would be unwieldy. */
export type StepKey = string | number;

export interface Deliberate {
  readonly scenario: string;
  readonly step: StepKey;
  /** Beginnings of the paths that may differ; a difference elsewhere is a failure. */
  readonly differs: readonly string[];
  readonly why: string;
}

/** Without `step` the whole scenario is pending. */
export interface Pending {
  readonly scenario: string;
  readonly step?: StepKey;
  readonly why: string;
}

export interface Expected {
  readonly deliberate: readonly Deliberate[];
  readonly pending: readonly Pending[];
}

const LIST = ['body.data', 'body.meta.pagination'];
const PRIVATE_SEARCH = '`_q` does not search private attributes: it would tell their content letter by letter';
const OLD_TOKEN = "a password change ends the user's older JWTs";

const search = (step: string): Deliberate => ({ scenario: 'search', step, differs: LIST, why: PRIVATE_SEARCH });
const oldToken = (step: string): Deliberate => ({
  scenario: 'users-auth',
  step,
  differs: ['status', 'body'],
  why: OLD_TOKEN,
});

const SYSTEM_TYPE = 'polymorphic relations link to content types of the project, users and files only';
const systemType = (uid: string): Deliberate => ({
  scenario: 'morph-targets',
  step: `POST /api/menus {title:system,items:[{__type:${uid},documentId:aaaaaaaaaaaaaaaaaaaaaaaa}]}`,
  differs: ['body.error'],
  why: SYSTEM_TYPE,
});
const HIDDEN_TYPE = 'a target of a type that the caller may not list is refused, where Strapi leaves it out silently';

export const EXPECTED: Expected = {
  deliberate: [
    search('GET /api/articles?fields=title&sort=title&_q=771234'),
    search('GET /api/articles?fields=title&sort=title&_q=private remark'),
    search('GET /api/authors?_q=hush'),
    oldToken('wrong current password'),
    oldToken('confirmation differs'),
    oldToken('the same password'),
    oldToken('empty change'),
    oldToken('the old JWT after a password change'),
    ...['plugin::users-permissions.role', 'plugin::upload.folder', 'plugin::i18n.locale', 'admin::user'].map(
      systemType,
    ),
    {
      scenario: 'morph-to-many-reads',
      step: 'GET /api/menus/m?fields=title&populate[items][on][admin::user]=true',
      differs: ['status', 'body'],
      why: SYSTEM_TYPE,
    },
    {
      scenario: 'morph-grants',
      step: 'POST /api/comments {text:by the public,subject:{options:{},__type:shop,id:shopid}}',
      differs: ['status', 'body'],
      why: HIDDEN_TYPE,
    },
    { scenario: 'morph-grants', step: 'GET /api/comments?populate=subject', differs: LIST, why: HIDDEN_TYPE },
    {
      scenario: 'morph-grants',
      step: 'PUT /api/menus/m {items:{connect:[{__type:shop,documentId:shop,position:{before:vault,__type:vault}}]}}',
      differs: ['status', 'body'],
      why: 'an anchor of a type that the caller may not list is refused: it would tell whether a document is there',
    },
    {
      scenario: 'morph-grants',
      step: 'GET /api/menus/m?fields=title&populate=items (4)',
      differs: ['body.data.items'],
      why: 'a list that is set keeps its links to types that the caller may not list, where Strapi removes them',
    },
    {
      scenario: 'pointed-at-drafts',
      step: 'PUT /api/products/lamp?status=draft {menus:null}',
      differs: ['body.data.name'],
      why: 'a type with drafts that is pointed at can be published, where Strapi answers 500',
    },
    {
      scenario: 'pointed-at-writes',
      step: 'PUT /api/people/ana {things:[{id:s1id,nope:1}]}',
      differs: ['status', 'body'],
      why: 'the pointed-at side rejects unknown keys, as every relation does',
    },
  ],
  pending: [],
};
