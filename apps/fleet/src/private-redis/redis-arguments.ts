export const REDIS_HOST = '127.0.0.1';

export interface PrivateRedisSettings {
  readonly port: number;
  readonly dir: string;
  /** As Redis takes it: `1gb`. */
  readonly maxMemory: string;
}

/** Of a Redis that keeps what it is told, for the processes of this machine. */
export const redisArguments = ({ port, dir, maxMemory }: PrivateRedisSettings): readonly string[] => [
  ...['--bind', REDIS_HOST, '--port', String(port), '--dir', dir],
  ...['--appendonly', 'yes', '--save', '', '--maxmemory', maxMemory, '--maxmemory-policy', 'noeviction'],
];
