import { type SecureContextOptions } from 'node:tls';
import { isConfigError } from '../config-error';
import { type Logger } from '../logger';
import { type Metrics } from '../metrics';
import { repeat } from '../repeat';
import { readCertificate, type Certificate, type TlsFiles } from './read-certificate';

/** What the public ports of a service show. */
export interface ServerCertificate {
  /** Now. */
  readonly pair: Pick<Certificate, 'cert' | 'key'>;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** From now on the server shows to whoever connects what is in the files then; connections stay as they are. */
  follow(server: CertificateHolder): void;
  stop(): Promise<void>;
}

export interface CertificateHolder {
  setSecureContext(pair: SecureContextOptions): void;
}

export interface CertificateParts {
  readonly files: TlsFiles;
  readonly first: Certificate;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly lookEveryMs?: number;
}

/** Files are replaced in many ways, by links among them: looking again misses none. */
const LOOK_EVERY_MS = 5000;

/** Reads the files again and again. What cannot be used is told once, and what was there before is shown on. */
export function openServerCertificate(parts: CertificateParts): ServerCertificate {
  const { files, first, log, metrics, lookEveryMs = LOOK_EVERY_MS } = parts;
  const servers: CertificateHolder[] = [];
  const ends = metrics.gauge({
    name: 'pushfleet_certificate_expires_seconds',
    help: 'When the certificate of the public port runs out, in seconds since the epoch.',
  });
  let current = first;
  let told: string | undefined;
  const show = (next: Certificate): void => {
    current = next;
    ends.set(next.endsAt / 1000);
    for (const server of servers) server.setSecureContext(pairOf(next));
  };
  const tell = (reason: string): void => {
    if (reason !== told)
      log.warn({ reason }, 'the certificate files cannot be used; the certificate before is shown on');
    told = reason;
  };
  show(first);
  const look = (): void => {
    const next = readCertificate(files);
    told = undefined;
    if (next === undefined || (next.cert === current.cert && next.key === current.key)) return;
    show(next);
    log.info({ endsAt: new Date(next.endsAt).toISOString() }, 'another certificate is shown from now on');
  };
  const looks = repeat(
    lookEveryMs,
    () => Promise.resolve().then(look),
    (error) => tell(isConfigError(error) ? error.message : String(error)),
  );
  return {
    get pair() {
      return pairOf(current);
    },
    get endsAt() {
      return current.endsAt;
    },
    follow: (server) => void servers.push(server),
    stop: () => looks.stop(),
  };
}

const pairOf = ({ cert, key }: Certificate): Pick<Certificate, 'cert' | 'key'> => ({ cert, key });
