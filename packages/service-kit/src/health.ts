/** Passes unless it throws, rejects or takes too long; what it returns is ignored, so that a ping is a check. */
export type HealthCheck = () => unknown;

export interface Verdict {
  readonly isOk: boolean;
  /** Reason by name of the failing check. */
  readonly failures: Readonly<Record<string, string>>;
}

export interface Health {
  /** From now on, unless stopping, the process wants work. */
  ready(): void;
  addLiveness(name: string, check: HealthCheck): void;
  addReadiness(name: string, check: HealthCheck): void;
  liveness(): Promise<Verdict>;
  readiness(): Promise<Verdict>;
}

export interface HealthOptions {
  readonly stopping?: AbortSignal;
  readonly checkTimeoutMs?: number;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function runBounded(check: HealthCheck, timeoutMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, `no answer within ${timeoutMs} ms`);
  });
  const outcome = (async () => {
    await check();
    return undefined;
  })().catch(reasonOf);
  const reason = await Promise.race([outcome, timeout]);
  clearTimeout(timer);
  return reason;
}

export function openHealth({ stopping, checkTimeoutMs = 1_000 }: HealthOptions = {}): Health {
  const livenessChecks = new Map<string, HealthCheck>();
  const readinessChecks = new Map<string, HealthCheck>();
  let isReady = false;

  const judge = async (checks: ReadonlyMap<string, HealthCheck>): Promise<Verdict> => {
    const reasons = await Promise.all(
      [...checks].map(async ([name, check]) => [name, await runBounded(check, checkTimeoutMs)] as const),
    );
    const failures = reasons.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason] as const]));
    return { isOk: failures.length === 0, failures: Object.fromEntries(failures) };
  };

  return {
    ready: () => {
      isReady = true;
    },
    addLiveness: (name, check) => void livenessChecks.set(name, check),
    addReadiness: (name, check) => void readinessChecks.set(name, check),
    liveness: () => judge(livenessChecks),
    readiness: async () => {
      if (stopping?.aborted) return { isOk: false, failures: { service: 'stopping' } };
      if (!isReady) return { isOk: false, failures: { service: 'starting' } };
      return judge(readinessChecks);
    },
  };
}
