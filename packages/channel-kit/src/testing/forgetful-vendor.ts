import type { ChannelDeps } from '../channel';
import { responseWith } from './answer-fixtures';
import type { SessionRig } from './session-rig';
import type { SimulatorHttp } from './simulator-http';

/** What a vendor forgets that keeps messages under an id. */
export interface Lapse {
  /** The path of the calls that name such an id. */
  readonly path: string;
  readonly times: number;
  /** The vendor's words for an id that it does not know. */
  readonly answer: object;
}

/** The paths that were asked for, tokens left out, of a vendor that answers its first calls as if it had forgotten. */
export function forgetfulVendor(
  { http, deps }: SessionRig,
  { path, times, answer }: Lapse,
): { readonly paths: readonly string[]; readonly deps: ChannelDeps } {
  const paths: string[] = [];
  let left = times;
  const request: SimulatorHttp['request'] = (asked) => {
    const { pathname } = new URL(asked.url);
    if (pathname.endsWith('auth')) return http.request(asked);
    paths.push(pathname);
    if (pathname !== path || left === 0) return http.request(asked);
    left -= 1;
    return Promise.resolve(responseWith(JSON.stringify(answer)));
  };
  return { paths, deps: { ...deps, http: { ...http, request } } };
}
