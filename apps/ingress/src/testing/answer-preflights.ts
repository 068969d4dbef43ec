import type { PreflightCounts, PreflightQuestion, Store } from '@pushfleet/store';

export interface AnsweredPreflights {
  readonly questions: PreflightQuestion[];
  /** What is answered; nothing as long as it is undefined. */
  counts: PreflightCounts | undefined;
  stop(): void;
}

const LIFE_MS = 10_000;

/** Answers in the place of the dispatchers. */
export function answerPreflights({ preflights }: Pick<Store, 'preflights'>): AnsweredPreflights {
  const answered: AnsweredPreflights = {
    questions: [],
    counts: { counts: [], isDirect: true },
    stop: preflights.listen({
      async onQuestion(question) {
        answered.questions.push(question);
        const { id, app, frame } = question;
        if (answered.counts)
          await preflights.tell(id, { kind: 'counted', app, counts: answered.counts, frame }, LIFE_MS);
      },
      onError(error) {
        throw error;
      },
    }),
  };
  return answered;
}
