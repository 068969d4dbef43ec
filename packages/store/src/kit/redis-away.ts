import { isNativeError } from 'node:util/types';

/** First words of Redis's own errors that pass by themselves: loading, failing over, full, or short of replicas. */
const PASSING_REPLIES = new Set([
  ...['LOADING', 'READONLY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'NOREPLICAS', 'BUSY', 'MISCONF', 'OOM'],
  ...['MOVED', 'ASK'],
]);

const CONNECTION_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);

const CONNECTION_NAMES = new Set(['AbortError', 'MaxRetriesPerRequestError', 'ClusterAllFailedError']);

/** Said of a cluster that answers, and of which a part is missing. */
export const SLOTS_MISSING = 'the Redis Cluster does not serve all slots (cluster_state is not ok)';

/** Said of one that takes a connection and answers nothing, or loads its data for long. */
export const NOT_READY = 'it takes the connection, and does not say that it is ready';

/** The client library tells these by their text alone. */
const CONNECTION_MESSAGES = new Set([
  'Command timed out',
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
  'None of startup nodes is available',
  'Cluster is disconnected.',
  'Cluster is disconnecting.',
  'connect ETIMEDOUT',
  SLOTS_MISSING,
  NOT_READY,
]);

/** The client library gives up with this text after too many redirections: a master is down, or slots are being moved. */
const REDIRECTED = /^Too many Cluster redirections\b/;

/** The client library says so of sentinels, with the last error behind it. */
const NO_SENTINEL = /^All sentinels are unreachable\b/;

/** Redis has too little memory left for this. */
export class RedisFull extends Error {
  override readonly name = 'RedisFull';

  constructor(readonly usedShare: number) {
    super(`Redis is nearly full: ${Math.floor(usedShare * 100)} % of its maxmemory is in use.`);
  }
}

/** Whether a call failed because Redis cannot serve at the moment, and not because of a defect. */
export function isRedisAway(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (error instanceof RedisFull || isConnectionLost(error) || isPassingReply(error)) return true;
  return reasonsOf(error).some(isRedisAway);
}

function isConnectionLost(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && CONNECTION_CODES.has(error.code)) return true;
  if (NO_SENTINEL.test(error.message)) return true;
  return CONNECTION_NAMES.has(error.name) || CONNECTION_MESSAGES.has(error.message);
}

function isPassingReply({ name, message }: Error): boolean {
  return REDIRECTED.test(message) || (name === 'ReplyError' && PASSING_REPLIES.has(message.split(' ', 1)[0] ?? ''));
}

/** The reasons behind the message: a discarded transaction and a cluster that asked all of its nodes carry them as fields. */
function reasonsOf(error: Error): readonly unknown[] {
  const { previousErrors, lastNodeError } = error as { previousErrors?: unknown; lastNodeError?: unknown };
  return [...(Array.isArray(previousErrors) ? (previousErrors as unknown[]) : []), lastNodeError];
}
