/**
 * @module The URL of a request, parsed once, since parsing costs more than most of its uses.
 */
import { memoized } from '../common/cache.ts';

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The host of the requests of a project's tests, which call no webhook. */
export const TEST_HOST = 'project.test';

/** `search` has its question mark; `isLocal`: is this a server on the machine of its developer? */
export const addressOf = memoized(({ url }: Request) => {
  const { pathname, search, hostname, protocol } = new URL(url);
  const [isLocal, isTest] = [LOCAL_HOST.test(hostname), hostname === TEST_HOST];
  return { pathname, search, isLocal, isTest, isHttps: protocol === 'https:' };
}, new WeakMap());

/** The last segment of the path as it was sent; routes match it in lower case. */
export const lastSegment = (request: Request): string =>
  addressOf(request).pathname.replace(/\/$/, '').split('/').at(-1) ?? '';

/**
 * A segment of the path as it was sent, by that of a route, which is in lower case.
 * @param before the segment before it, in lower case: both may have the same name
 */
export function segmentAsSent(request: Request, segment: string, before: string): string {
  const sent = addressOf(request)
    .pathname.split('/')
    .map((each) => decoded(each) ?? each);
  const isIt = (each: string, index: number) =>
    each.toLowerCase() === segment && sent[index - 1]?.toLowerCase() === before;
  return sent.find(isIt) ?? segment;
}

/** undefined for malformed escapes. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
