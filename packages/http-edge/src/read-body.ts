import { InvalidInput, isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { FREE_BYTES, type Holding } from './body-memory';
import { type BodyPace } from './body-pace';
import { GrowingBody } from './growing-body';
import { codingOf, inflated, type Coding } from './inflated';
import { CallerGone } from './refusal';

export interface Reading {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly maxBytes: number;
  readonly pace: BodyPace;
  /** Opens what the body is held with; what it is given ends the reading. */
  readonly holding: (giveUp: (reason: Error) => void) => Holding;
}

/**
 * The body, inflated when it came compressed; what exceeds the limit is never held. What a large body is held with is for
 * the caller to release, unless the reading fails.
 */
export function readBody({ req, res, maxBytes, pace, holding: open }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const coding = codingOf(req.headers['content-encoding']);
    const tooLarge = () => reject(new InvalidInput('too-large', `the body may have at most ${maxBytes} bytes`));
    const declared = Number(req.headers['content-length'] ?? 0);
    if (declared > maxBytes) return tooLarge();
    // Whoever asks first is told to send only now that the body is wanted.
    if (req.headers.expect !== undefined) res.writeContinue();

    let isOver = false;
    const stop = (reason: Error): void => {
      isOver = true;
      req.removeListener('data', onData);
      req.pause();
      left();
      body.drop();
      holding.release();
      reject(reason);
    };
    const holding = open(stop);
    const body = new GrowingBody(declared);
    const left = pace.watch(() => body.bytes, stop);
    const onData = (chunk: Buffer): void => {
      if (body.bytes + chunk.length > maxBytes)
        return stop(new InvalidInput('too-large', `the body may have at most ${maxBytes} bytes`));
      try {
        holding.hold(body.add(chunk));
      } catch (error) {
        stop(error as Error);
      }
    };
    const inflate = (coding: Coding): void => {
      const hold = (bytes: number): void => {
        if (isOver) throw new CallerGone();
        holding.hold(body.bytes + bytes);
      };
      inflated(body.whole(), { coding, maxBytes, hold }).then((plain) => {
        if (plain.length > FREE_BYTES) holding.keep();
        else holding.release();
        resolve(plain);
      }, stop);
    };
    req.on('data', onData);
    req.on('end', () => {
      left();
      if (coding !== undefined) return inflate(coding);
      holding.keep();
      resolve(body.whole());
    });
    req.on('close', () => {
      left();
      if (req.complete) return;
      holding.release();
      reject(new CallerGone());
    });
  });
}

export function objectOf(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new InvalidInput('wrong-type', 'the body must be a JSON object');
  return value;
}
