/** Passes unless it throws, rejects or takes too long; what it returns is ignored, so that a ping is a check. */
export type HealthCheck = () => unknown;

export interface Verdict {
  readonly isOk: boolean;
  /** Reason by name of the failing check. */
  readonly failures: Readonly<Record<string, string>>;
  /** What an operator should know of a process that is ready; absent when there is nothing. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** Resolves with undefined as long as there is nothing to tell. */
export type HealthNote = () => Promise<string | undefined>;

export interface Health {
  /** What a process that is not ready yet waits for. */
  waitsFor(what: string): void;
  /** From now on, unless stopping, the process wants work. */
  ready(): void;
  addLiveness(name: string, check: HealthCheck): void;
  addReadiness(name: string, check: HealthCheck): void;
  addNote(name: string, note: HealthNote): void;
  liveness(): Promise<Verdict>;
  readiness(): Promise<Verdict>;
}

export interface HealthOptions {
  readonly stopping?: AbortSignal;
  readonly checkTimeoutMs?: number;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A note that cannot be had tells why. */
async function runBounded(note: HealthNote, timeoutMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, `no answer within ${timeoutMs} ms`);
  });
  const outcome = (async () => note())().catch(reasonOf);
  const reason = await Promise.race([outcome, timeout]);
  clearTimeout(timer);
  return reason;
}

export function openHealth({ stopping, checkTimeoutMs = 1_000 }: HealthOptions = {}): Health {
  const livenessChecks = new Map<string, HealthCheck>();
  const readinessChecks = new Map<string, HealthCheck>();
  const readinessNotes = new Map<string, HealthNote>();
  let isReady = false;
  let starting = 'starting';

  const told = async (asked: ReadonlyMap<string, HealthNote>): Promise<Readonly<Record<string, string>>> => {
    const answers = await Promise.all(
      [...asked].map(async ([name, note]) => [name, await runBounded(note, checkTimeoutMs)] as const),
    );
    return Object.fromEntries(answers.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
  };

  const judge = async (checks: ReadonlyMap<string, HealthCheck>): Promise<Verdict> => {
    const silent = [...checks].map(([name, check]) => [name, async () => void (await check())] as const);
    const failures = await told(new Map(silent));
    return { isOk: Object.keys(failures).length === 0, failures };
  };

  return {
    waitsFor: (what) => {
      starting = `starting: waits for ${what}`;
    },
    ready: () => {
      isReady = true;
    },
    addLiveness: (name, check) => void livenessChecks.set(name, check),
    addReadiness: (name, check) => void readinessChecks.set(name, check),
    addNote: (name, note) => void readinessNotes.set(name, note),
    liveness: () => judge(livenessChecks),
    readiness: async () => {
      if (stopping?.aborted) return { isOk: false, failures: { service: 'stopping' } };
      if (!isReady) return { isOk: false, failures: { service: starting } };
      const verdict = await judge(readinessChecks);
      const notes = verdict.isOk ? await told(readinessNotes) : {};
      return Object.keys(notes).length === 0 ? verdict : { ...verdict, notes };
    },
  };
}
