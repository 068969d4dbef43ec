import { pino, type DestinationStream, type Logger } from 'pino';
import { RepeatedLines } from './repeated-lines';

export type { Logger };

export interface LogConfig {
  readonly LOG_LEVEL: string;
  readonly LOG_TO: 'stdout' | 'stderr';
}

/** In lower case; any spelling of case is hidden. */
const SECRETS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-lc-key',
  'x-lc-sign',
  'x-avoscloud-application-key',
  'x-avoscloud-request-sign',
  'key',
  'appkey',
  'masterkey',
  'secret',
  'secretkey',
  'secret_key',
  'secret_key_previous',
  'appsecret',
  'mastersecret',
  'clientsecret',
  'client_secret',
  'receiptsecret',
  'receipttoken',
  'mac_key',
  'token',
  'access_token',
  'accesstoken',
  'auth_token',
  'authtoken',
  'refresh_token',
  'admin_token',
  'admintoken',
  'password',
  'redis_url',
  'registrationid',
  'registrationids',
];

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const LIST = String.raw`\[(?:[^\]"]|${TEXT})*\]`;
const secretFields = new RegExp(`"(${SECRETS.join('|')})":(?:${TEXT}|${LIST})`, 'gi');

/** Works on the finished line: pino's own paths miss arrays and cost fifty times the line itself. */
const redacted = (line: string): string => line.replace(secretFields, '"$1":"[redacted]"');

const destinationOf = ({ LOG_TO }: LogConfig): DestinationStream =>
  pino.destination({ dest: LOG_TO === 'stderr' ? 2 : 1, sync: true });

/** The Redis client hangs the whole command on its errors, with every key and value of it; errors may stand within others. */
const describeError = (error: Error): unknown => withoutCommands(pino.stdSerializers.err(error), 0);

/** Deeper than causes and lists of errors go. */
const MOST_LEVELS = 8;

function withoutCommands(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null || level > MOST_LEVELS) return value;
  if (Array.isArray(value)) return value.map((one) => withoutCommands(one, level + 1));
  const described = value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
  const left = Object.entries(described).filter(([name]) => name !== 'command');
  return Object.fromEntries(left.map(([name, one]) => [name, withoutCommands(one, level + 1)]));
}

/** JSON lines; synchronous, so that the last line before an exit is not lost. A failure that repeats is told once a minute. */
export function createLogger(config: LogConfig, service: string, destination = destinationOf(config)): Logger {
  const repeated = new RepeatedLines();
  return pino(
    {
      level: config.LOG_LEVEL,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (level) => ({ level }) },
      hooks: {
        streamWrite: redacted,
        logMethod(args, method) {
          repeated.hook(this, args, method);
        },
      },
    },
    destination,
  );
}
