import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, type Rest } from './answer';
import { type BodyPace } from './body-pace';
import { type Work } from './deadlines';
import { endOf, handOver, taken } from './hand-over';
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
 * Sends a body that has a rest, from its beginning. A piece is asked for when the caller has taken the one before, so that no
 * more than one of them is held. Throws `CallerGone`, and nothing else.
 */
export async function sendRest(to: RestToSend, beginning: string, rest: Rest): Promise<void> {
  const { req, res, work, refuse } = to;
  try {
    for (let piece: string | undefined = beginning; piece !== undefined; piece = await work.within(rest.next())) {
      await paused(to, handOver(to, Buffer.from(piece)));
      if (res.writableNeedDrain) await paused(to, taken(to, 'drain'));
      if (req.socket.destroyed) throw new CallerGone();
      work.restart();
    }
    if (req.socket.destroyed) throw new CallerGone();
    await paused(to, endOf(to));
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    const refusal = refuse(error);
    const cutOff = (): unknown => req.socket.destroy();
    // Whoever takes nothing does not take the end either.
    if (res.writableNeedDrain || res.writableEnded) cutOff();
    else endOf(to, rest.brokenOff(refusal))?.catch(cutOff);
  }
}

/** While the caller has to take something, time does not count. */
async function paused({ work }: RestToSend, handedOver: Promise<void> | undefined): Promise<void> {
  if (!handedOver) return;
  work.pause();
  await work.within(handedOver);
}
