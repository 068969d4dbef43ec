import { type IncomingMessage } from 'node:http';
import { InvalidInput, isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { Refusal } from './problem';

/** The caller left before its request was complete: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** The body as text; what exceeds the limit is never held. */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const encoding = req.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      return reject(new Refusal('unsupported-encoding', 'Content-Encoding: compressed bodies are not accepted'));
    const tooLarge = () => reject(new InvalidInput('too-large', `the body may have at most ${maxBytes} bytes`));
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return tooLarge();

    let first: Buffer | undefined;
    let others: Buffer[] | undefined;
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        req.removeListener('data', onData);
        req.pause();
        others = undefined;
        tooLarge();
      } else if (first === undefined) first = chunk;
      else (others ??= []).push(chunk);
    };
    req.on('data', onData);
    req.on('end', () => resolve(textOf(first, others)));
    req.on('close', () => (req.complete ? undefined : reject(new CallerGone())));
  });
}

function textOf(first: Buffer | undefined, others: readonly Buffer[] | undefined): string {
  if (first === undefined) return '';
  return (others === undefined ? first : Buffer.concat([first, ...others])).toString('utf8');
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new InvalidInput('malformed-json', 'the body is not valid JSON');
    throw cause;
  }
}

export function objectOf(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new InvalidInput('wrong-type', 'the body must be a JSON object');
  return value;
}
