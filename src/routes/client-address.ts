/**
 * @module Who a request is counted as: the address of a client, as Cloudflare tells it.
 */
import { expandIPv6 } from 'hono/utils/ipaddr';
import type { AppContext } from './context.ts';

const NETWORK_GROUPS = 4;
const IPV4_IN_IPV6 = '0:0:0:0:0:ffff';

// https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip-in-worker-subrequests
const WORKERS = '2a06:98c0:3600:0:0:0:0:103';

const isIPv6 = (address: string): boolean => /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`);

/** The eight groups of an IPv6 address. */
const groupsOf = (address: string): readonly number[] =>
  expandIPv6(address)
    .split(':')
    .map((group) => Number.parseInt(group, 16));

const inHex = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':');
const ipv4Of = (groups: readonly number[]): string =>
  groups.flatMap((group) => [Math.floor(group / 256), group % 256]).join('.');

/**
 * One subscriber has a whole IPv6 network of 64 bits, so that is what counts as an address; IPv4 within IPv6 is IPv4.
 * What is no address counts as it is.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (inHex(groups.slice(0, 6)) === IPV4_IN_IPV6) return ipv4Of(groups.slice(6));
  return inHex(groups.slice(0, NETWORK_GROUPS));
}

/**
 * The platform sets these headers; what a client sends under their names, or any other, is not looked at. Requests of
 * all Workers in other zones come from one address, so there the zone tells them apart: `cf-worker` is set on each of
 * them, and believed of them alone.
 * @returns undefined where no address is known: on a local server, and for a Worker that calls by a service binding
 * and does not pass its client's address on. Such callers have nothing in common, so nothing is counted by address.
 */
export function clientOf({ req }: AppContext): string | undefined {
  const address = req.header('cf-connecting-ip');
  if (!address) return undefined;
  const isWorker = isIPv6(address) && inHex(groupsOf(address)) === WORKERS;
  return isWorker ? `worker ${req.header('cf-worker') ?? ''}` : networkOf(address);
}
