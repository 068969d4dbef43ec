import { InvalidInput, selectorOf } from '@pushfleet/domain';
import { type InstallationStore } from '@pushfleet/store';
import { jsonAnswer } from '@pushfleet/http-edge';
import { type ApiEndpoint } from '../http/api-call';
import { fieldNamesOf, rangeOf, whereOf } from '../http/query';
import { formatCursor, parseCursor } from '../scan-cursor';
import { FIND_DEADLINE_MS } from './installations';

export interface ScanPorts {
  readonly installations: Pick<InstallationStore, 'scan'>;
  readonly now: () => number;
}

/**
 * Every installation of an app, page by page, in an order of our own: `scan_key` asks for one that the pages of an app
 * spread over many shards cannot have.
 */
export function scanEndpoint({ installations, now }: ScanPorts): ApiEndpoint {
  return {
    route: 'scan',
    countsAs: 'query',
    lane: 'query',
    deadlineMs: FIND_DEADLINE_MS,
    async handle(call) {
      const { caller, query } = call;
      const select = selectorOf(fieldNamesOf(query));
      const text = query.get('cursor');
      const from = text === null || text === '' ? undefined : parseCursor(text, now());
      if (from === 'invalid') throw new InvalidInput('invalid-query', 'cursor: is not one of ours');
      if (from === 'expired') throw new InvalidInput('invalid-query', 'cursor: is older than ten minutes');
      const { limit } = rangeOf(query);
      const { results, end } = await installations.scan({
        app: caller.app.id,
        where: whereOf(query),
        limit,
        from,
        signal: call.signal(),
      });
      return jsonAnswer(200, { results: results.map(select), cursor: end ? formatCursor(end, now()) : null });
    },
  };
}
