import {
  checkQueryJson,
  type CqlQuery,
  InvalidInput,
  type Json,
  parseCql,
  parseWhere,
  readJson,
  selectorOf,
} from '@pushfleet/domain';
import { type InstallationStore } from '@pushfleet/store';
import { jsonAnswer } from '@pushfleet/http-edge';
import { type ApiEndpoint } from '../http/api-call';
import { classMissing } from '../http/api-routes';
import { allowedLimit } from '../http/query';
import { FIND_DEADLINE_MS } from './installations';

export interface CloudQueryPorts {
  readonly installations: Pick<InstallationStore, 'find'>;
}

const CLASS_NAME = '_Installation';

/** Finds installations by a `select` of the 1.1 API. */
export function cloudQueryEndpoint({ installations }: CloudQueryPorts): ApiEndpoint {
  return {
    route: 'cloud-query',
    countsAs: 'query',
    lane: 'query',
    deadlineMs: FIND_DEADLINE_MS,
    async handle(call) {
      const { caller, query } = call;
      const cql = parseCql(query.get('cql') ?? '', valuesOf(query.get('pvalues')));
      if (cql.className !== CLASS_NAME) throw classMissing();
      const { results, ...count } = await installations.find({
        ...requestFor(caller.app.id, cql),
        signal: call.signal(),
      });
      const select = selectorOf(cql.keys ?? []);
      return jsonAnswer(200, { results: results.map(select), className: CLASS_NAME, ...count });
    },
  };
}

function requestFor(app: string, { where, order, limit, skip, isCount }: CqlQuery) {
  const range = { limit: isCount ? 0 : allowedLimit(limit, false), skip, count: isCount };
  return { app, where: parseWhere(where), order, ...range };
}

function valuesOf(text: string | null): readonly Json[] {
  if (text === null || text === '') return [];
  checkQueryJson(text, 'pvalues', 'invalid-cql');
  try {
    const values: unknown = readJson(text);
    if (Array.isArray(values)) return values as readonly Json[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InvalidInput('invalid-cql', 'pvalues: must be a JSON array');
}
