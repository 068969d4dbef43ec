import { asksForPartOfId, subqueriesOf, type AppSwitch, type JsonObject } from '@pushfleet/domain';
import { type ApiCall, type ApiEndpoint } from './api-call';
import { type Caller } from './authenticate';
import { Refusal } from './problem';
import { whereOf } from './query';

/** Whose key a call needs: the app's, which is anybody's who has the app, or the master key. */
export type Right = 'app-key' | 'master-key' | ByChoice;

/** The master key, or the app key while a switch of the app is on. */
export interface ByChoice {
  readonly openedBy: AppSwitch;
  /** Calls that the app key may make whatever the switch says. */
  readonly unless?: (call: ApiCall) => boolean;
}

/** The same endpoint for callers with the right to it; an element of a batch is asked for it by itself. */
export function withRight(right: Right, endpoint: ApiEndpoint): ApiEndpoint {
  if (right === 'app-key') return endpoint;
  return {
    ...endpoint,
    async handle(call) {
      if (!call.caller.isMaster) requireOpened(right, call);
      return endpoint.handle(call);
    },
  };
}

function requireOpened(right: Exclude<Right, 'app-key'>, call: ApiCall): void {
  if (right === 'master-key') throw new Refusal('not-for-clients', 'This operation needs the master key.');
  const { openedBy, unless } = right;
  if (call.caller.app[openedBy] || unless?.(call) === true) return;
  throw notOpened(openedBy);
}

export const notOpened = (openedBy: AppSwitch): Refusal =>
  new Refusal(
    'not-for-clients',
    `This operation needs the master key: the app's setting ${openedBy}, which opens it to the app key, is off.`,
  );

export const PUSH: Right = { openedBy: 'clientPush' };
export const PUSH_QUERY: Right = { openedBy: 'pushQueries' };
export const INSTALLATION_QUERY: Right = { openedBy: 'installationQueries' };
/** A condition that names one device by its installationId reads that device. */
export const INSTALLATION_FIND: Right = { openedBy: 'installationQueries', unless: namesOneDevice };
/** A condition on the device itself is a save; one with a sub-query asks about other devices. */
export const INSTALLATION_SAVE: Right = { openedBy: 'installationQueries', unless: asksNobodyElse };

function namesOneDevice({ query }: ApiCall): boolean {
  if (!query.has('where')) return false;
  const [[field, value] = [], ...others] = Object.entries(whereOf(query));
  return field === 'installationId' && typeof value === 'string' && value !== '' && others.length === 0;
}

function asksNobodyElse({ query }: ApiCall): boolean {
  return !query.has('where') || !hasSubqueries(whereOf(query));
}

const hasSubqueries = (where: JsonObject): boolean => subqueriesOf(where).length > 0;

/**
 * A push to a device of the caller's own tells, by coming or not, what a sub-query found on others; how long a push takes tells
 * whether it found anybody, and so an id, piece by piece.
 */
export function requireRightToAsk({ app, isMaster }: Caller, where: JsonObject): void {
  if (isMaster || app.installationQueries) return;
  if (hasSubqueries(where) || asksForPartOfId(where)) throw notOpened('installationQueries');
}
