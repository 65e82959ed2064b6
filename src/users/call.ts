/**
 * @module What every request about users starts from.
 */
import type { Call } from '../execute/call.ts';
import type { ContentType } from '../registry/model.ts';
import { systemType, USER_UID } from '../registry/system-types.ts';
import type { InputData } from '../request/body.ts';
import type { EmailSender } from './email.ts';

export interface UserCall extends Call {
  /** Parses the body, once. Its errors are thrown only after the caller is confirmed (`rejectInput`). */
  readonly body: () => InputData;
  readonly newDocumentId: string;
  /** `:id` of the path. */
  readonly id: string;
  readonly jwtSecret: string | undefined;
  /** A refresh token that came in a cookie. */
  readonly refreshCookie: string | undefined;
  readonly userAgent: string;
  /** `https://host` that links in messages begin with. */
  readonly publicUrl: string;
  readonly email: EmailSender;
  /**
   * Starts work once the response has left, so that its duration says nothing of the work. A failure is logged. Where
   * that there is any work is a secret, this is called in any case.
   */
  afterwards(work: () => Promise<void>): void;
  /**
   * Counts a wrong password for this identifier, whether there is such a user or not. Nothing may be waited for
   * between `refuseClosed`, the check of the password and this, or many at once would all be checked.
   * @throws ApiError 429 when that was one too many
   */
  failed(identifier: string): Promise<void>;
  /** @throws ApiError 429 for whom there were too many just now, whatever the password */
  refuseClosed(identifier: string): void;
}

export const userType = ({ registry }: UserCall): ContentType => systemType(registry, USER_UID);
