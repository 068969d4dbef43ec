import { InvalidInput, isJsonObject, type Json, LIMITS, overLimit, writeJson } from '@pushfleet/domain';
import { objectOf } from '@pushfleet/http-edge';

/** One request inside the body of another. */
export interface BatchElement {
  readonly method: string;
  readonly path: string;
  /** Read when the element is run: all of them at once would take as long as megabytes take. */
  readonly query: () => URLSearchParams;
  /** Undefined: none was sent. */
  readonly body: Json | undefined;
}

/** The elements of a batch, in order; those that are no requests are told by what is wrong with them. */
export function elementsOf(input: Json): readonly (BatchElement | InvalidInput)[] {
  const { requests } = objectOf(input);
  if (!Array.isArray(requests)) throw new InvalidInput('wrong-type', 'requests: must be an array');
  if (requests.length > LIMITS.batchElements.value) throw overLimit('batchElements', 'requests: may hold');
  return (requests as readonly Json[]).map(elementOf);
}

function elementOf(request: Json): BatchElement | InvalidInput {
  if (!isJsonObject(request)) return new InvalidInput('wrong-type', 'requests: must hold objects');
  const { method, path, params, body } = request;
  if (typeof method !== 'string' || typeof path !== 'string')
    return new InvalidInput('wrong-type', 'requests: method and path must be strings');
  const mark = path.indexOf('?');
  const end = mark < 0 ? path.length : mark;
  return {
    method: method.toUpperCase(),
    path: path.slice(0, end),
    query: () => queryOf(path.slice(end + 1), params),
    body,
  };
}

/**
 * The JavaScript SDK sends long queries as params, with the condition as an object; they take the place of what the address
 * says. `URLSearchParams.set` would look through all of them for each.
 */
function queryOf(text: string, params: Json | undefined): URLSearchParams {
  const query = new URLSearchParams(text);
  if (!isJsonObject(params)) return query;
  const given = Object.entries(params).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, typeof value === 'string' ? value : writeJson(value)]],
  );
  const names = new Set(given.map(([name]) => name));
  return new URLSearchParams([...[...query].filter(([name]) => !names.has(name)), ...given]);
}
