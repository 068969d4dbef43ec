import { createHash } from 'node:crypto';
import type { RedisClient } from '../redis';
import { BytesCommand } from './bytes-command';
import { encoderOf, type Call, type Params, type Values } from './params';
import { assemble, type Constants } from './source';

export interface Declaration<P extends Params, Answer> {
  /** In the order of the first line of the script. */
  readonly params: P;
  readonly constants?: Constants;
  /** What the answer of Redis means. */
  readonly answer: (raw: never) => Answer;
}

/** Runs the script by its digest, and loads it where the server does not know it yet. */
export interface LuaScript<P extends Params, Answer> {
  (redis: RedisClient, values: Values<P>): Promise<Answer>;
  /** As Redis runs it. */
  readonly text: string;
}

/** A script of `lua/<file>.lua`, whose names are checked against those of its declaration. */
export function luaScript<const P extends Params, Answer>(
  file: string,
  { params, constants = {}, answer }: Declaration<P, Answer>,
): LuaScript<P, Answer> {
  const text = assemble(file, { params, constants });
  const sha = createHash('sha1').update(text).digest('hex');
  const encode = encoderOf(params);
  const run = async (redis: RedisClient, values: Values<P>): Promise<Answer> => {
    const call: Call = { keys: [], args: [] };
    encode(values, call);
    return answer((await evaluate(redis, { text, sha }, call)) as never);
  };
  return Object.assign(run, { text });
}

async function evaluate(
  redis: RedisClient,
  { text, sha }: Readonly<Record<'text' | 'sha', string>>,
  { keys, args }: Call,
): Promise<unknown> {
  const run = (name: 'eval' | 'evalsha', script: string): unknown =>
    args.some(Buffer.isBuffer)
      ? redis.sendCommand(new BytesCommand(name, [script, keys.length, ...keys, ...args]))
      : redis[name](script, keys.length, ...keys, ...args);
  try {
    return await run('evalsha', sha);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return run('eval', text);
  }
}

/** The answer of a script that tells whether it did something. */
export const isDone = (raw: number | null): boolean => raw === 1;
/** For a script whose answer does not matter. */
export const nothing = (): void => undefined;
