/** Few enough that what a gateway allows one address by default, connections and logins, is never the limit. */
const PER_ADDRESS = 100;
/** 127.0.0.2 to 127.0.0.251. */
const ADDRESSES = 250;

/**
 * On the loopback of Linux every 127.x.y.z is this machine: taking several of them lifts the limit of ports to one target,
 * and spreads devices over addresses as a real network would. Undefined leaves the choice to the system.
 */
export function sourceAddress(url: string, index: number, count: number): string | undefined {
  const { hostname } = new URL(url);
  if (process.platform !== 'linux' || count <= PER_ADDRESS) return undefined;
  if (hostname !== 'localhost' && !hostname.startsWith('127.')) return undefined;
  const addresses = Math.min(ADDRESSES, Math.ceil(count / PER_ADDRESS));
  return `127.0.0.${2 + (index % addresses)}`;
}
