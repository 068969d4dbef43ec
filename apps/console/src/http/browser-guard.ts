import type { HttpRequest } from '@pushfleet/http-edge';
import { Problem } from './problem';

/** What the pages of the console send with everything that changes something; no form and no image can. */
const PAGE_HEADER = 'x-pushfleet-console';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Throws for a request that another site may have made a browser send with the cookie of its user. */
export function refuseOtherSites(req: HttpRequest): void {
  const { headers, method = '' } = req;
  if (isFromElsewhere(req)) throw new Problem('forbidden', 'this request comes from another site');
  if (READING.has(method) || headers[PAGE_HEADER] !== undefined || headers.authorization !== undefined) return;
  throw new Problem('forbidden', `a browser must send the header ${PAGE_HEADER}, as the pages of the console do`);
}

/** Browsers say where a request comes from, in one of two ways; a link that was typed or followed comes from nowhere. */
function isFromElsewhere({ headers }: HttpRequest): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  if (site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && hostOf(origin) !== host?.toLowerCase();
}

/** A proxy that ends TLS leaves the scheme to be guessed: the host tells sites apart. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
