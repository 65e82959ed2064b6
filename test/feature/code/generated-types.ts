/**
 * @module Content types as `generate` would write them, as far as tests of own code need them.
 */

export interface CollectionType<Uid extends string, Document, Input = Partial<Document>> {
  uid: Uid;
  kind: 'collectionType';
  document: Document;
  draft: Document;
  create: Input;
  update: Partial<Input>;
}
