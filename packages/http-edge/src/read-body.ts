import { InvalidInput, isJsonObject, type Json, type JsonObject, readJson } from '@pushfleet/domain';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Holding } from './body-memory';
import { type BodyPace } from './body-pace';
import { CallerGone, Refusal } from './refusal';

export interface Reading {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly maxBytes: number;
  readonly pace: BodyPace;
  /** Opens what the body is held with; what it is given ends the reading. */
  readonly holding: (giveUp: (reason: Error) => void) => Holding;
}

const FIRST_CAPACITY = 64 * 1024;

/** The body; what exceeds the limit is never held. What it is held with is for the caller to release, unless it fails. */
export function readBody({ req, res, maxBytes, pace, holding: open }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const encoding = req.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      return reject(new Refusal('unsupported-encoding', 'Content-Encoding: compressed bodies are not accepted'));
    const tooLarge = () => reject(new InvalidInput('too-large', `the body may have at most ${maxBytes} bytes`));
    const declared = Number(req.headers['content-length'] ?? 0);
    if (declared > maxBytes) return tooLarge();
    // Whoever asks first is told to send only now that the body is wanted.
    if (req.headers.expect !== undefined) res.writeContinue();

    const stop = (reason: Error): void => {
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
    req.on('data', onData);
    req.on('end', () => {
      left();
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

const NOTHING = Buffer.alloc(0);

/** One buffer for all of a body: each of many tiny chunks would cost some hundred bytes by itself. */
class GrowingBody {
  private buffer: Buffer = NOTHING;
  bytes = 0;

  constructor(private readonly declared: number) {}

  /** What is held now. */
  add(chunk: Buffer): number {
    const bytes = this.bytes + chunk.length;
    if (this.bytes === 0) this.buffer = chunk;
    else {
      if (bytes > this.buffer.length) this.grow(bytes);
      chunk.copy(this.buffer, this.bytes);
    }
    this.bytes = bytes;
    return this.buffer.length;
  }

  whole(): Buffer {
    return this.bytes === this.buffer.length ? this.buffer : this.buffer.subarray(0, this.bytes);
  }

  drop(): void {
    this.buffer = NOTHING;
  }

  private grow(needed: number): void {
    const doubled = Math.max(needed, 2 * this.buffer.length, FIRST_CAPACITY);
    const capacity = this.declared >= needed ? Math.min(this.declared, doubled) : doubled;
    const buffer = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(buffer, 0, 0, this.bytes);
    this.buffer = buffer;
  }
}

export function parseJson(text: string): Json {
  try {
    return readJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new InvalidInput('malformed-json', 'the body is not valid JSON');
    throw cause;
  }
}

export function objectOf(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new InvalidInput('wrong-type', 'the body must be a JSON object');
  return value;
}
