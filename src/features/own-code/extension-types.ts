/**
 * @module What a project may add to its Worker.
 */
import type { Hono } from 'hono';
import type { EmailMessage } from '../users/email.ts';
import type { AnyTypes, Documents } from './document-types.ts';
import type { AfterCommit, BeforeWrite, CallerInfo, Exact } from './hooks.ts';

export interface RouteVariables<C> {
  /** With the grants of the caller. */
  readonly documents: Documents<C>;
  /** Confirms the credential of the request, in a round trip if it has one. @throws ApiError 401 */
  readonly caller: () => Promise<CallerInfo>;
  /** Sends a message as `email` of the settings says. */
  readonly sendEmail: (message: EmailMessage) => Promise<void>;
}

/** The version that a page is to show. `locale` is null if the type has no locales. */
export interface PreviewedDocument {
  readonly documentId: string;
  readonly locale: string | null;
  readonly status: 'draft' | 'published';
}

/** `{token}` and the other placeholders that are no attributes are filled in what it returns; null: there is no page. */
export type PreviewUrl = (
  uid: string,
  document: PreviewedDocument,
) => string | null | undefined | Promise<string | null | undefined>;

/** @typeParam C the generated `ContentTypes` */
export interface Extensions<C, H extends BeforeWrite<C> = BeforeWrite<C>> {
  /** Adds routes. None may match a path that Edgewise serves. */
  readonly routes?: ((app: Hono<{ Bindings: Env; Variables: RouteVariables<C> }>) => unknown) | undefined;
  /** By uid: returns the input to write, before it is validated. */
  readonly beforeWrite?: (H & Exact<C, H>) | undefined;
  /** Gets what a commit has changed, after the response. */
  readonly afterCommit?: AfterCommit<C> | undefined;
  /** Returns the URL of the page that shows a document, in place of that of the settings. */
  readonly preview?: PreviewUrl | undefined;
}

export type AnyExtensions = Extensions<AnyTypes>;
