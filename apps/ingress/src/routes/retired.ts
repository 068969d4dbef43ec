import { LIMITS, adviceFor } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { type InstallationStore, type RetiredRegistration, type RetiredRequest } from '@pushfleet/store';
import { type ApiEndpoint } from '../http/api-call';
import { instantIn, pageLimitOf, refuseParameter, requireKnown, valueOf } from '../http/strict-query';

export interface RetiredPorts {
  readonly installations: Pick<InstallationStore, 'retired'>;
  readonly now: () => number;
}

/** Registrations that were taken out of the audience since a time, for senders that keep lists of their own. */
export const retiredEndpoint = ({ installations, now }: RetiredPorts): ApiEndpoint => ({
  route: 'retired',
  countsAs: 'query',
  lane: 'query',
  async handle({ caller, query }) {
    const { retired, next, isComplete } = await installations.retired({
      app: caller.app.id,
      ...retiredQueryOf(query, now()),
    });
    return jsonAnswer(200, { results: retired.map(view), cursor: next ?? null, complete: isComplete });
  },
});

/** Of the clocks of callers, and of Redis. */
const CLOCKS_DIFFER_MS = 60_000;
const CURSOR = /^\d{13}-(\d{1,20})$/;
/** The greatest that Redis counts to within a millisecond. */
const MAX_SEQUENCE = 2n ** 64n - 1n;

function isCursor(text: string): boolean {
  const [, sequence] = CURSOR.exec(text) ?? [];
  return sequence !== undefined && BigInt(sequence) <= MAX_SEQUENCE;
}

function retiredQueryOf(query: URLSearchParams, now: number): Omit<RetiredRequest, 'app'> {
  requireKnown(query, ['since', 'cursor', 'limit']);
  const after = valueOf(query, 'cursor');
  if (after !== undefined && !isCursor(after)) refuseParameter('cursor', 'must be one that a page answered');
  const oldest = now - LIMITS.retiredKeptMs.value;
  return { since: sinceOf(query, oldest), after, limit: pageLimitOf(query, LIMITS.retiredPage) };
}

function sinceOf(query: URLSearchParams, oldest: number): number {
  const text = valueOf(query, 'since');
  if (text === undefined) return oldest;
  const since = instantIn(text);
  if (Number.isNaN(since)) refuseParameter('since', 'must be an ISO 8601 date or milliseconds since the epoch');
  if (since >= oldest - CLOCKS_DIFFER_MS) return since;
  return refuseParameter('since', `must be ${new Date(oldest).toISOString()} or later: nothing older is kept`);
}

const view = ({ now, at, reason, ...registration }: RetiredRegistration) => ({
  ...registration,
  reason,
  action: adviceFor(reason),
  at: new Date(at).toISOString(),
  ...(now === 'retired' ? {} : { [now]: true }),
});
