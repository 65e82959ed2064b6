/**
 * @module The context of a request about users.
 */

import type { InputData } from '../../content/request/body.ts';
import type { RowName } from '../../content/request/plain-params.ts';
import type { Call } from '../../content/runtime/call.ts';
import type { ContentType } from '../../schema/model.ts';
import { systemType, USER_UID } from '../../schema/system-types.ts';
import type { EmailSender } from './email.ts';

export interface UserCall extends Call {
  /** Parses the body, once. Its errors are thrown only after the caller is confirmed (`rejectInput`). */
  readonly body: () => InputData;
  readonly newDocumentId: string;
  /** `:id` of the path, in lower case. */
  readonly id: string;
  /** The user that the path names. */
  readonly row: RowName;
  /** `:session` of the path. */
  readonly session: string;
  /** `:provider` of the path. */
  readonly provider: string;
  readonly jwtSecret: string | undefined;
  readonly refreshCookie: string | undefined;
  readonly userAgent: string;
  /** `https://host` of links in messages. */
  readonly publicUrl: string;
  readonly email: EmailSender;
  /**
   * Starts work after the response, whose duration then reveals nothing about it; logs failures. To hide whether there
   * is work, callers start it in any case.
   */
  afterwards(work: () => Promise<void>): void;
  /**
   * Counts a wrong password for an identifier, existing or not. Callers do not await between `rejectClosed`, the check
   * of the password and this, or concurrent guesses would all be checked.
   * @throws ApiError 429 over the limit
   */
  countFailure(identifier: string): Promise<void>;
  /** @throws ApiError 429 after too many wrong passwords, regardless of the password */
  rejectClosed(identifier: string): void;
}

/** What a user is planned with, by a request or by a command. */
export type UserContext = Pick<UserCall, 'registry' | 'settings'>;

export const userType = ({ registry }: UserContext): ContentType => systemType(registry, USER_UID);
