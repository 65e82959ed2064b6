/**
 * @module What a project may add to its Worker.
 */
import type { Hono } from 'hono';
import type { AnyTypes, Documents } from '../extensions/document-types.ts';
import type { AfterCommit, BeforeWrite, CallerInfo, Exact } from '../extensions/hooks.ts';
import type { EmailMessage } from '../users/email.ts';

export interface RouteVariables<C> {
  /** With the grants of the caller. */
  readonly documents: Documents<C>;
  /** Confirms the credential of the request, in a round trip if it has one. @throws ApiError 401 */
  readonly caller: () => Promise<CallerInfo>;
  /** Sends a message as `email` of the settings says. */
  readonly sendEmail: (message: EmailMessage) => Promise<void>;
}

/** @typeParam C the generated `ContentTypes` */
export interface Extensions<C, H extends BeforeWrite<C> = BeforeWrite<C>> {
  /** Adds routes. None may match a path that Edgewise serves. */
  readonly routes?: ((app: Hono<{ Bindings: Env; Variables: RouteVariables<C> }>) => unknown) | undefined;
  /** By uid: returns the input to write, before it is validated. */
  readonly beforeWrite?: (H & Exact<C, H>) | undefined;
  /** Gets what a commit has changed, after the response. */
  readonly afterCommit?: AfterCommit<C> | undefined;
}

export type AnyExtensions = Extensions<AnyTypes>;
