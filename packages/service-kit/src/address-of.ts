import type { IncomingMessage } from 'node:http';

/**
 * Where a request came from. Every trusted proxy appends whom it heard: of the list, the entry that the outermost of them
 * wrote counts, and whatever stands before it is only claimed.
 */
export function addressOf(
  {
    headers,
    socket,
  }: { headers: IncomingMessage['headers']; socket: Pick<IncomingMessage['socket'], 'remoteAddress'> },
  proxyHops: number,
): string {
  const direct = socket.remoteAddress ?? '';
  if (proxyHops === 0) return direct;
  const header = headers['x-forwarded-for'] ?? '';
  const heard = (Array.isArray(header) ? header.join(',') : header)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return withoutPort(heard.at(-proxyHops) ?? heard[0] ?? direct);
}

/** Some proxies write the port beside the address, which is another one for each connection of the same caller. */
const withoutPort = (entry: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry;
