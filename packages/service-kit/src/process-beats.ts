import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from './logger';
import type { ServerCertificate } from './tls/server-certificate';
import { repeat, type Repeated } from './repeat';
import { readVersion } from './version';

/** What a process tells of itself. */
export interface ProcessFacts {
  readonly id: string;
  readonly role: string;
  /** The channel of a worker, for instance. */
  readonly labels: Readonly<Record<string, string>>;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When the certificate that it shows runs out; absent where it shows none. Milliseconds since the epoch. */
  readonly certificateEndsAt?: number;
  /** The proxies in front that it trusts; absent where it has no public port. */
  readonly proxyHops?: number;
}

/** Who beats. */
interface Beating extends Pick<ProcessFacts, 'role' | 'labels'> {
  readonly log: Pick<Logger, 'warn'>;
  readonly certificate?: Pick<ServerCertificate, 'endsAt'> | undefined;
  readonly proxyHops?: number | undefined;
}

/** Where the processes of a fleet know each other. */
export interface ProcessBoard {
  /** A process that does not do so for a while is gone. */
  beat(facts: ProcessFacts): Promise<void>;
  leave(id: string): Promise<void>;
}

/** The settings that all processes of a fleet work with. */
export interface SharedSettings {
  /** Takes over what changed; false when nothing did. */
  take(): Promise<boolean>;
}

/** Says that a process lives. */
interface Beats extends Repeated {
  /** Resolves once the first beat was heard, or could not be: with it a process learns the time of the fleet. */
  readonly first: Promise<void>;
}

const BEAT_MS = 3000;
/** Whoever changed a setting waits until the processes tell that they know. */
const SETTINGS_MS = 200;
const MAX_HOST_NAME = 64;

/** Says again and again that this process lives and which settings it knows, and at the end that it leaves. */
export function startBeats(
  { processes: board, settings }: { readonly processes: ProcessBoard; readonly settings: SharedSettings },
  { role, labels, log, certificate, proxyHops }: Beating,
): Beats {
  const id = `${hostname().slice(0, MAX_HOST_NAME)}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const facts: ProcessFacts = {
    id,
    role,
    labels,
    version: readVersion(),
    since: Date.now(),
    ...(proxyHops === undefined ? {} : { proxyHops }),
  };
  let isHeard = true;
  const onError = (err: unknown): void => {
    if (isHeard) log.warn({ err }, 'the fleet does not hear of this process');
    isHeard = false;
  };
  const beat = async (): Promise<void> => {
    await board.beat(certificate ? { ...facts, certificateEndsAt: certificate.endsAt } : facts);
    isHeard = true;
  };
  const first = beat().catch(onError);
  const beats = repeat(BEAT_MS, beat, onError);
  const looks = repeat(SETTINGS_MS, async () => void ((await settings.take()) && (await beat())), onError);
  return {
    first,
    async stop() {
      await Promise.all([first, beats.stop(), looks.stop()]);
      await board.leave(id).catch(onError);
    },
  };
}
