import { channelOfVendor } from '@pushfleet/channels';
import { openStore, type PreflightCounts, type PreflightQuestion } from '@pushfleet/store';
import { type RedisHarness } from '@pushfleet/testing';

export interface AnsweredPreflights {
  readonly questions: PreflightQuestion[];
  /** What is answered; nothing as long as it is undefined. */
  counts: PreflightCounts | undefined;
}

const LIFE_MS = 10_000;

/** Answers in the place of the dispatchers until the file's tests are over, which fail when that did not work. */
export async function answerPreflights(harness: RedisHarness): Promise<AnsweredPreflights> {
  // A connection like those of dispatchers: commands of the ingress end too soon for one that waits for a question.
  const redis = await harness.open();
  const { preflights } = openStore({ redis, namespace: harness.namespace, vendors: channelOfVendor });
  const answered: AnsweredPreflights = { questions: [], counts: { counts: [], isDirect: true } };
  const failures: unknown[] = [];
  const stop = preflights.listen({
    async onQuestion(question) {
      answered.questions.push(question);
      const { id, app, frame } = question;
      if (answered.counts) await preflights.tell(id, { kind: 'counted', app, counts: answered.counts, frame }, LIFE_MS);
    },
    onError: (error) => void failures.push(error),
  });
  harness.onClose(() => {
    stop();
    if (failures.length > 0) throw new AggregateError(failures, 'pre-flights could not be answered');
  });
  return answered;
}
