import type { ServiceContext } from './run-service';

/** The connection that everything else of a process goes by. */
export interface FleetRedis {
  ping(): Promise<unknown>;
  /** What waits for an answer fails, and so does whatever is asked from now on. */
  giveUp(): void;
  isOver(): boolean;
}

const LOOK_MS = 300;
/** Counted, not timed: a process that was held up itself has missed nothing. */
const SILENT_LOOKS = 10;

/**
 * What a process holds when it is told to leave is written to Redis. With a Redis that does not answer for three seconds there is
 * nothing to wait for: it leaves what it holds to the others, as one that is killed does.
 */
export function leaveWithoutRedis(
  redis: FleetRedis,
  { onStopping, hurry }: Pick<ServiceContext, 'onStopping' | 'hurry'>,
): void {
  onStopping(() => {
    let silentLooks = 0;
    const timer = setInterval(() => {
      if (redis.isOver()) return clearInterval(timer);
      silentLooks += 1;
      redis.ping().then(
        () => (silentLooks = 0),
        (error: unknown) => {
          if (isAnswer(error)) silentLooks = 0;
        },
      );
      if (silentLooks <= SILENT_LOOKS) return;
      clearInterval(timer);
      redis.giveUp();
      hurry('Redis does not answer');
    }, LOOK_MS);
  });
}

/** A Redis that loads or is busy says so: it is there. */
const isAnswer = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';
