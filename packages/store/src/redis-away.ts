import { RedisFull } from './memory-guard';

/** First words of Redis's own errors that pass by themselves: loading, failing over, full, or short of replicas. */
const PASSING_REPLIES = new Set([
  ...['LOADING', 'READONLY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'NOREPLICAS', 'BUSY', 'MISCONF', 'OOM'],
]);

const CONNECTION_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);

const CONNECTION_NAMES = new Set(['AbortError', 'MaxRetriesPerRequestError', 'ClusterAllFailedError']);

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
]);

/** Whether a failed call failed because Redis cannot serve now, which is nobody's defect. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof RedisFull) return true;
  if ('code' in error && typeof error.code === 'string' && CONNECTION_CODES.has(error.code)) return true;
  if (CONNECTION_NAMES.has(error.name) || CONNECTION_MESSAGES.has(error.message)) return true;
  return error.name === 'ReplyError' && PASSING_REPLIES.has(error.message.split(' ', 1)[0] ?? '');
}
