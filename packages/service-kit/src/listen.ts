import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ConfigError } from './config-error';
import { type HttpServer } from './http-server';
import type { ServiceContext } from './run-service';

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** The variable that the operator would change. */
  readonly variable: string;
}

export interface Listening {
  readonly port: number;
  /** Where this machine reaches it. */
  readonly url: string;
}

const RULES: Readonly<Record<string, (options: ListenOptions) => string>> = {
  EADDRINUSE: ({ variable, port }) => `${variable}: port ${port} is already in use`,
  EACCES: ({ variable, port }) => `${variable}: port ${port} may not be opened by this user`,
  EADDRNOTAVAIL: ({ host }) => `BIND_ADDRESS: ${host} is not an address of this machine`,
  ENOTFOUND: ({ host }) => `BIND_ADDRESS: ${host} is not an address of this machine`,
};

const explained = (error: NodeJS.ErrnoException, options: ListenOptions): Error => {
  const line = RULES[error.code ?? '']?.(options);
  return line === undefined ? error : new ConfigError([line], { cause: error });
};

const urlOf = (server: Server, host: string, port: number): string => {
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  if (host === '0.0.0.0' || host === '::') return `${scheme}://127.0.0.1:${port}`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

export type Listen<Listener extends Server = Server> = (server: Listener, options: ListenOptions) => Promise<Listening>;

export const listen: Listen = (server, options) => {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explained(error, options));
    server.once('error', fail);
    server.listen(options.port, options.host, () => {
      server.removeListener('error', fail);
      const { port } = server.address() as AddressInfo;
      resolve({ port, url: urlOf(server, options.host, port) });
    });
  });
};

const IDLE_SWEEP_MS = 50;

/** Lets requests in flight finish; `cutoff` drops what is left. What the server has let go of it does not wait for. */
export function closeServer(server: Server & Partial<Pick<HttpServer, 'guard'>>, cutoff?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = (error?: Error): void => {
      clearInterval(sweep);
      cutoff?.removeEventListener('abort', drop);
      if (error) reject(error);
      else resolve();
    };
    // A connection that was busy when the server closed would otherwise idle until its keep-alive time is over.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      if (server.guard?.count() === 0) closed();
    }, IDLE_SWEEP_MS);
    const drop = () => server.closeAllConnections();
    server.close(closed);
    if (cutoff?.aborted) drop();
    else cutoff?.addEventListener('abort', drop, { once: true });
  });
}

interface Door<Variable extends string> {
  readonly server: HttpServer;
  /** Holds its port. */
  readonly variable: Variable;
  readonly config: Readonly<Record<Variable, number> & { BIND_ADDRESS: string }>;
}

/** Opens the port of a role, which is closed with it; resolves with its URL. */
export async function openDoor<Variable extends string>(
  {
    onClose,
    cutoff,
    listen: listenFor,
  }: Pick<ServiceContext, 'onClose' | 'cutoff'> & { readonly listen: Listen<HttpServer> },
  { server, variable, config }: Door<Variable>,
): Promise<string> {
  const { url } = await listenFor(server, { port: config[variable], host: config.BIND_ADDRESS, variable });
  onClose('http', () => closeServer(server, cutoff));
  return url;
}
