/**
 * @module The state that a request of a batch is planned on: what was read before the batch, and what the requests before
 * it create. A request that depends on anything else that they change is rejected, since planning does not know its state.
 */
import { invalid } from '../../../common/errors.ts';
import { type DocumentRef, namedDocument } from '../../../schema/document-ref.ts';
import type { ContentType, LinkAttribute, Registry } from '../../../schema/model.ts';
import { type TargetRow, targetUid } from '../model/links.ts';
import { isFreeAssertion, isInsert, isLinkChange, isUniqueAssertion, isUpdate } from '../model/op-kinds.ts';
import type { DeletedRows, WritePlan, WrittenRow } from '../model/write-plan.ts';
import type { Current, WriteRequest } from '../model/write-request.ts';
import { uniquePathLookups } from '../validate/unique-paths.ts';
import { uniqueLookups } from '../validate/unique-values.ts';
import { removalsOf, rowsMade } from './changes.ts';
import type { LinkLookup, Preconditions } from './preconditions.ts';

/** The number of a row that does not exist yet: no body can name it. */
const NO_NUMBER = Number.NaN;

/** A single type has one document, which a delete does not name. */
const documentKey = (type: ContentType, document: DocumentRef): string =>
  type.kind === 'singleType' || document.kind === 'single' ? type.uid : `${type.uid} ${document.documentId}`;

const valueKey = (...parts: readonly unknown[]): string => JSON.stringify(parts);

/** @param request that changes what a later one depends on; undefined for none */
function reject(request: number | undefined): void {
  if (request === undefined) return;
  const message = `This request depends on a document or on links that request ${request} of the batch changes. Send it before that request, or in another batch`;
  throw invalid(message, { dependsOn: request });
}

export class EarlierWrites {
  readonly #registry: Registry;
  /** The rows of new documents, by uid. */
  readonly #created = new Map<string, readonly TargetRow[]>();
  /** Updated and deleted documents, each with the index of its request. */
  readonly #changed = new Map<string, number>();
  /** The types of rows that are deleted by their ids, each with the index of its request: any document may be theirs. */
  readonly #deleted = new Map<string, number>();
  /** The uids of their types: a unique value may be free again. */
  readonly #changedTypes = new Set<string>();
  /** The documents that bodies link or unlink, by link table, each with the index of the latest request. */
  readonly #linked = new Map<string, Map<string, number>>();
  /** Published unique values. */
  readonly #values = new Set<string>();
  /** Was a value taken before the batch, and may be free again? */
  isUncertain = false;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Returns the state before a request. @throws ApiError 400 if it depends on what an earlier request changes */
  before(request: WriteRequest, preconditions: Preconditions, current: Current): Current {
    this.#rejectChangedTargets(current);
    const { documentId } = current.source ?? request;
    for (const lookup of preconditions.links) this.#rejectChangedLinks(lookup, current.links, documentId);
    for (const lookup of preconditions.sharedLinks)
      for (const links of [current.originalLinks, current.sourceLinks])
        this.#rejectChangedLinks(lookup, links, documentId);
    const withCreated = (targets: Current['targets']): Current['targets'] => {
      const uids = new Set([...targets.keys(), ...this.#created.keys()]);
      return new Map([...uids].map((uid) => [uid, [...(targets.get(uid) ?? []), ...(this.#created.get(uid) ?? [])]]));
    };
    return {
      ...current,
      targets: withCreated(current.targets),
      innerTargets: withCreated(current.innerTargets),
      ...this.#takenValues(request, current),
    };
  }

  #rejectChangedTargets({ innerTargets }: Current): void {
    for (const [uid, rows] of innerTargets) for (const { documentId } of rows) reject(this.#changeOf(uid, documentId));
  }

  #changeOf(uid: string, documentId: string): number | undefined {
    const type = this.#registry.contentTypes.get(uid);
    return type && (this.#changed.get(documentKey(type, namedDocument(documentId))) ?? this.#deleted.get(uid));
  }

  #rejectChangedLinks(
    { attribute, tables }: LinkLookup,
    links: ReadonlyMap<LinkAttribute, readonly { readonly documentId: string; readonly type?: string }[]>,
    documentId: string,
  ): void {
    for (const { name } of tables) reject(this.#linked.get(name)?.get(documentId));
    for (const link of links.get(attribute) ?? []) {
      reject(this.#changeOf(targetUid(attribute, link.type), link.documentId));
      for (const { name, exclusive } of tables)
        if (exclusive.source || exclusive.target) reject(this.#linked.get(name)?.get(link.documentId));
    }
  }

  /**
   * Adds the values of earlier requests. Where one of them may have freed a value, the batch alone asserts it: its
   * assertions run in the order of the requests.
   */
  #takenValues(request: WriteRequest, current: Current): Pick<Current, 'taken' | 'takenAt'> {
    const { type, locale } = request;
    const isKnown = !this.#changedTypes.has(type.uid);
    const isTaken = current.taken.size > 0 || [...current.takenAt.values()].some(({ size }) => size > 0);
    if (isTaken && !isKnown) this.isUncertain = true;
    const taken = new Set(isKnown ? current.taken : []);
    for (const { attribute, value } of uniqueLookups(request))
      if (this.#values.has(valueKey(type.uid, locale, attribute.name, value))) taken.add(attribute.name);
    const takenAt = new Map(isKnown ? current.takenAt : []);
    for (const { path, values } of uniquePathLookups(request).flat()) {
      const found = values.filter((value) => this.#values.has(valueKey(type.uid, locale, path.key, value)));
      takenAt.set(path.key, new Set([...(takenAt.get(path.key) ?? []), ...found]));
    }
    return { taken, takenAt };
  }

  /** Notes what a request changes. @param current of an update, which leaves values as they are */
  add(index: number, plan: WritePlan, isCreate: boolean, current?: Current): void {
    for (const { row } of rowsMade(plan))
      if (isCreate) this.#addCreated(row);
      else this.#addChanged(index, row);
    for (const { rows } of removalsOf(plan)) this.#addDeleted(index, rows);
    for (const { change, tables } of plan.filter(isLinkChange))
      for (const { name } of tables)
        for (const { documentId } of [...change.positioned, ...(change.removed === 'others' ? [] : change.removed)])
          this.#linked.set(name, (this.#linked.get(name) ?? new Map()).set(documentId, index));
    const written = new Map(current?.row?.values);
    for (const op of plan) {
      if (isInsert(op) || isUpdate(op)) for (const each of op.values) written.set(...each);
      if (isUniqueAssertion(op))
        this.#values.add(valueKey(op.row.type.uid, op.row.locale, op.attribute.name, written.get(op.attribute)));
      if (!isFreeAssertion(op)) continue;
      for (const { path, values } of op.values)
        for (const value of values) this.#values.add(valueKey(op.row.type.uid, op.row.locale, path.key, value));
    }
  }

  #addDeleted(index: number, rows: DeletedRows): void {
    switch (rows.kind) {
      case 'document':
      case 'idsOfDocument':
        this.#addChanged(index, rows);
        break;
      case 'ids':
        this.#deleted.set(rows.type.uid, index);
        this.#changedTypes.add(rows.type.uid);
        break;
      default:
        rows satisfies never;
    }
  }

  #addCreated({ type, document, locale, status }: WrittenRow): void {
    const { documentId } = document;
    const row: TargetRow = { id: NO_NUMBER, documentId, locale, published: status === 'published' };
    this.#created.set(type.uid, [...(this.#created.get(type.uid) ?? []), row]);
  }

  #addChanged(index: number, { type, document }: { type: ContentType; document: DocumentRef }): void {
    this.#changed.set(documentKey(type, document), index);
    this.#changedTypes.add(type.uid);
  }
}
