import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, type Rest } from './answer';
import { type BodyPace } from './body-pace';
import { type Work } from './deadlines';
import { CallerGone } from './refusal';

export interface RestToSend {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Its time counts for each piece by itself, and not while the caller takes one. */
  readonly work: Work;
  readonly pace: BodyPace;
  readonly refuse: (error: unknown) => Answer;
}

/**
 * Sends what follows the beginning of a body. A piece is asked for when the caller has taken the one before, so that no more
 * than one of them is held. Throws `CallerGone`, and nothing else.
 */
export async function sendRest(to: RestToSend, rest: Rest): Promise<void> {
  const { req, res, work, refuse } = to;
  try {
    for (;;) {
      if (res.writableNeedDrain) await taken(to);
      work.restart();
      const piece = await work.within(rest.next());
      work.pause();
      if (req.socket.destroyed) throw new CallerGone();
      if (piece === undefined) break;
      res.write(piece);
    }
    res.end();
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    const refusal = refuse(error);
    // Whoever takes nothing does not take the end either.
    if (res.writableNeedDrain) req.socket.destroy();
    else res.end(rest.brokenOff(refusal));
  }
}

/** Rejects when the caller takes the piece as slowly as no body may arrive. */
async function taken({ req, res, work, pace }: RestToSend): Promise<void> {
  const { socket } = req;
  const sent = (): number => socket.bytesWritten - socket.writableLength;
  const before = sent();
  let tooSlow: (reason: Error) => void = () => undefined;
  const left = pace.watch(
    () => sent() - before,
    (reason) => tooSlow(reason),
  );
  work.pause();
  try {
    await work.within(
      new Promise<void>((resolve, reject) => {
        tooSlow = reject;
        res.once('drain', resolve);
      }),
    );
  } finally {
    left();
  }
}
