/**
 * @module The client that a request is counted for: its address, from Cloudflare's headers.
 */
import { expandIPv6 } from 'hono/utils/ipaddr';
import type { AppContext } from './context.ts';

const NETWORK_GROUPS = 4;
const IPV4_IN_IPV6 = '0:0:0:0:0:ffff';

// https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip-in-worker-subrequests
const WORKERS = '2a06:98c0:3600:0:0:0:0:103';

const isIPv6 = (address: string): boolean => /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`);

const groupsOf = (address: string): readonly number[] =>
  expandIPv6(address)
    .split(':')
    .map((group) => Number.parseInt(group, 16));

const inHex = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':');
const ipv4Of = (groups: readonly number[]): string =>
  groups.flatMap((group) => [Math.floor(group / 256), group % 256]).join('.');

/** Returns the /64 network of an IPv6 address, since a subscriber has all of it; otherwise the IPv4 address or text. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (inHex(groups.slice(0, 6)) === IPV4_IN_IPV6) return ipv4Of(groups.slice(6));
  return inHex(groups.slice(0, NETWORK_GROUPS));
}

/** Headers that the platform overwrites. */
const CLIENT_HEADERS = ['cf-connecting-ip', 'cf-worker'] as const;

/** Returns a request of the Worker to itself, counted for the client that caused it. */
export function forClient(request: Request, { req }: AppContext): Request {
  for (const name of CLIENT_HEADERS) {
    const value = req.header(name);
    if (value !== undefined) request.headers.set(name, value);
  }
  return request;
}

/**
 * Reads headers that the platform overwrites. Workers of all other zones have one address, so `cf-worker` distinguishes
 * their zones; the platform sets it on their requests only.
 * @returns undefined without an address: on a local server, and for service bindings that do not pass it on
 */
export function clientOf({ req }: AppContext): string | undefined {
  const address = req.header('cf-connecting-ip');
  if (!address) return undefined;
  const isWorker = isIPv6(address) && inHex(groupsOf(address)) === WORKERS;
  return isWorker ? `worker ${req.header('cf-worker') ?? ''}` : networkOf(address);
}
