/**
 * @module Values of unknown form that must have a known one, because a person may have changed the file.
 */
import * as z from 'zod/mini';
import { UserError } from './terminal.ts';

/**
 * Returns the value if it has the form.
 * @param place where it stands, for messages. The value itself is not part of them: it may be secret.
 * @throws UserError that names the place and the first key that is wrong.
 */
export function readValue<T>(form: z.ZodMiniType<T>, value: unknown, place: string): T {
  const result = z.safeParse(form, value);
  if (result.success) return result.data;
  const [{ path, message } = { path: [], message: 'wrong' }] = result.error.issues;
  throw new UserError([place, ...(path.length > 0 ? [path.join('.')] : []), message].join(': '));
}
