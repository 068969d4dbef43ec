import { MethodRefusal, type Method } from '@pushfleet/http-edge';
import { type ApiEndpoint } from './api-call';
import { Refusal } from './problem';
import { type Right } from './rights';

/** One row of the table that both the router and the batch read. */
export interface ApiRoute {
  readonly method: Method;
  /** Parts that begin with a colon are parameters. */
  readonly path: string;
  /** Whose key it needs; the endpoint asks for it. */
  readonly right: Right;
  readonly endpoint: ApiEndpoint;
}

export interface RouteMatch {
  readonly endpoint: ApiEndpoint;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Whether an address ends where the id of an object belongs. Java SDKs ask so before their first save, and would take the
 * list of all installations for their own. No address of the API ends in a slash: which ones lead to objects is not asked.
 */
export const lacksId = (method: string | undefined, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && path.startsWith('/1.1/') && path.endsWith('/');

export const idMissing = (): Refusal => new Refusal('object-unnamed', 'The address ends without the id of an object.');

const CLASS_PATH = /^\/1\.1\/(scan\/)?classes\//;

export const classMissing = (): Refusal => new Refusal('class-missing', "Class or object doesn't exists.");

/** What a call of an address is refused with where nothing is. */
export const nowhere = (method: string, path: string): Refusal =>
  CLASS_PATH.test(path)
    ? classMissing()
    : new Refusal('route-unknown', `There is no ${method.slice(0, 20)} ${path.slice(0, 200)} here.`);

/** A path without slashes at its end; a pattern would look for that end from every slash on. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Finds the route of an element of a batch; throws when the address has others alone. */
export function openRouteFinder(routes: readonly ApiRoute[]): (method: string, path: string) => RouteMatch | undefined {
  const split = routes.map(({ method, path, endpoint }) => ({ method, endpoint, parts: path.split('/') }));
  return (method, path) => {
    if (lacksId(method, path)) throw idMissing();
    const parts = withoutSlashes(path).split('/');
    const others: Method[] = [];
    for (const route of split) {
      const params = route.parts.length === parts.length ? paramsOf(route.parts, parts) : undefined;
      if (params && route.method === method) return { endpoint: route.endpoint, params };
      if (params) others.push(route.method);
    }
    if (others.length > 0) throw new MethodRefusal(others);
    return undefined;
  };
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const expected = pattern[i] ?? '';
    if (expected.startsWith(':')) params[expected.slice(1)] = decodeURIComponent(part);
    else if (expected !== part) return undefined;
  }
  return params;
}
