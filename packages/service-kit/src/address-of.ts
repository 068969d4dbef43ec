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
  return heard.at(-proxyHops) ?? heard[0] ?? direct;
}
