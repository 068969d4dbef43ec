import type { HttpRequest } from '@pushfleet/http-edge';
import { Problem } from './problem';

/** What the pages of the console send with everything that changes something; no form and no image can. */
const PAGE_HEADER = 'x-pushfleet-console';

/** Proxies such as nginx name their upstream in the header unless they are told not to: every page is of another site then. */
const FROM_ELSEWHERE =
  'this request comes from another site, or a proxy does not pass on the header Host as the browser sent it';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Throws for a request that another site may have made a browser send with the cookie of its user. */
export function refuseOtherSites(req: HttpRequest): void {
  const { headers, method = '' } = req;
  if (isFromElsewhere(req)) throw new Problem('forbidden', FROM_ELSEWHERE);
  if (READING.has(method) || headers[PAGE_HEADER] !== undefined || headers.authorization !== undefined) return;
  throw new Problem('forbidden', `a browser must send the header ${PAGE_HEADER}, as the pages of the console do`);
}

/** Browsers say where a request comes from, in one of two ways; a link that was typed or followed comes from nowhere. */
function isFromElsewhere({ headers }: HttpRequest): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  if (site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && !isOfHost(origin, host);
}

/**
 * A proxy that ends TLS leaves the scheme to be guessed: the host tells sites apart. Some proxies write the port that goes without
 * saying with that scheme, and browsers do not.
 */
function isOfHost(origin: string, host = ''): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const asked = `${from.protocol}//${host}`;
  return from.host !== '' && URL.canParse(asked) && new URL(asked).host === from.host;
}
