/**
 * @module The document that inputs belong to, and names in paths of its form.
 */
import type { Attribute } from '../../model/attribute.ts';
import type { ContentType, Document } from '../../model/model.ts';

/** Opens related documents over the form. */
export interface InPlace {
  /** @param documentId undefined: creates one */
  readonly mayOpen: (type: ContentType, documentId?: string) => boolean;
  /** @param onSaved is called with the saved document */
  readonly open: (type: ContentType, documentId: string | undefined, onSaved: (document: Document) => void) => void;
}

export interface FieldOwner {
  readonly type: ContentType;
  /** Missing while the document is new. */
  readonly documentId?: string | undefined;
  readonly locale?: string | undefined;
  /** Of the version that the form shows; relations look for targets in the same one. */
  readonly status: 'draft' | 'published';
  readonly isReadOnly?: boolean | undefined;
  /** Whether there is a stored version, which may have values that no response shows. */
  readonly isStored?: boolean | undefined;
  readonly inPlace?: InPlace | undefined;
  /** The input that was led to last: the entries around it have unfolded. */
  readonly unfolded?: { readonly path: string } | undefined;
}

export interface InputProps {
  readonly name: string;
  /** Path of react-hook-form, such as `sections.0.text`. */
  readonly path: string;
  readonly attribute: Attribute;
  readonly owner: FieldOwner;
}

/** Of an editor that is no control of HTML. */
export interface EditorProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  /** Returns the value that the form has now: what is rendered may be that of an earlier key. */
  readonly current: () => unknown;
  readonly onBlur: () => void;
}

/** Returns the name of an attribute in the form: react-hook-form confuses `constructor` and its like with methods. */
export const fieldName = (name: string): string =>
  name in Object.prototype || name === 'prototype' ? `$${name}` : name;

export const joinPath = (prefix: string, name: string | number): string =>
  prefix === '' ? `${name}` : `${prefix}.${name}`;
