/**
 * @module The address of a running Strapi, as it is given on the command line.
 */
import { UserError } from '../terminal.ts';

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Where the server is, without a slash at the end; the address of its API is taken as well.
 * @throws UserError for an address that is none, or that has a password in it.
 */
export function baseOf(address: string): string {
  if (!URL.canParse(address)) throw new UserError(`${address.slice(0, 200)} is no address`);
  const { origin, pathname, username, password } = new URL(address);
  if (username !== '' || password !== '')
    throw new UserError('The address must have no user and no password in it: the token is all that is sent');
  return `${origin}${pathname.replace(/\/+$/, '').replace(/\/(api|admin)$/, '')}`;
}

/** Does a token travel to it in clear? */
export function isUnencrypted(base: string): boolean {
  const { protocol, hostname } = new URL(base);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
