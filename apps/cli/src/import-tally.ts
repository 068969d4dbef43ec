import { z } from 'zod';

const reachSchema = z.object({
  vendor: z.string(),
  reason: z.string().optional(),
  profile: z.string().optional(),
  count: z.number(),
});

export type Reach = z.output<typeof reachSchema>;

const COUNTS = ['created', 'updated', 'unchanged', 'superseded'] as const;

/** What the console answers to a portion. */
export const importAnswerSchema = z.object({
  ...(Object.fromEntries(COUNTS.map((name) => [name, z.number()])) as Record<(typeof COUNTS)[number], z.ZodNumber>),
  bad: z.array(z.object({ index: z.number(), objectId: z.string().optional(), error: z.string() })),
  reach: z.array(reachSchema),
  staleEndAt: z.string().optional(),
});

type Counts = Record<(typeof COUNTS)[number], number>;

export interface ImportSummary extends Readonly<Counts> {
  readonly rows: number;
  readonly bad: number;
  readonly reach: readonly Reach[];
  /** When the first of those that are stale are removed. */
  readonly staleEndAt?: string;
  readonly dryRun?: boolean;
  /** Where bad rows are told. */
  readonly report?: string;
}

/** Adds up the answers of an import. */
export class ImportTally {
  rows = 0;
  private bad = 0;
  private readonly counts: Counts = { created: 0, updated: 0, unchanged: 0, superseded: 0 };
  private staleEndAt: string | undefined;
  private readonly kinds = new Map<string, Reach>();

  add(portion: { rows: number; bad: number; answer: z.output<typeof importAnswerSchema> | undefined }): void {
    const { answer } = portion;
    this.rows += portion.rows;
    this.bad += portion.bad + (answer?.bad.length ?? 0);
    if (!answer) return;
    this.staleEndAt ??= answer.staleEndAt;
    for (const name of COUNTS) this.counts[name] += answer[name];
    for (const kind of answer.reach) {
      const key = JSON.stringify([kind.vendor, kind.reason, kind.profile]);
      this.kinds.set(key, { ...kind, count: kind.count + (this.kinds.get(key)?.count ?? 0) });
    }
  }

  summary(): ImportSummary {
    const reach = [...this.kinds.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    const { staleEndAt } = this;
    const ending = staleEndAt === undefined ? {} : { staleEndAt };
    return { rows: this.rows, ...this.counts, bad: this.bad, reach, ...ending };
  }
}

const nameOf = ({ vendor, reason = '', profile = '' }: Reach): string => [vendor, reason, profile].join(' ');
