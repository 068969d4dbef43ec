import { z } from 'zod';
import { ProtocolError, type Codec, type Command, type CommandName } from './command';
import { defined } from './defined';
import { isDeeperThan } from './is-deeper-than';

const NAMES: ReadonlySet<string> = new Set<CommandName>([
  ...(['session', 'ack', 'error', 'login', 'data', 'echo', 'loggedin', 'logout', 'loggedout'] as const),
]);
const commandName = (name: string): CommandName => (NAMES.has(name) ? (name as CommandName) : 'other');

/** What a push may nest, twice, and the frame around it. What is deeper overflows the stack of those who walk it. */
const MAX_DEPTH = 64;

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** As fast as a list of tens of thousands must be told from none; the library looks at each of them for long. */
const listOf = <T>(is: (value: unknown) => value is T) =>
  z.custom<readonly T[]>((value) => Array.isArray(value) && value.every(is));

/** The heartbeat of this form; an echo that carries a number is a request, and its answer a command. */
const HEARTBEAT = '{}';
const frameSchema = z.object({
  cmd: z.string().default('echo').transform(commandName),
  appId: z.string().optional(),
  installationId: z.string().optional(),
  peerId: z.string().optional(),
  i: z.int32().optional(),
  service: z.int32().optional(),
  ids: listOf(isText).optional(),
  msg: listOf(isObject).optional(),
  code: z.int32().optional(),
  reason: z.string().optional(),
});

/** One JSON object per text frame, fields flattened: clients that ask for no subprotocol. */
export const jsonCodec: Codec = {
  encode(command) {
    const { cmd, messages, error, ...fields } = command;
    if (cmd === 'echo' && fields.i === undefined) return HEARTBEAT;
    if (messages) return dataFrame(messages);
    return JSON.stringify({ cmd, ...fields, ...error });
  },
  decode(frame) {
    const parsed = frameSchema.safeParse(parse(frame));
    if (!parsed.success) throw new ProtocolError('not a JSON command', { cause: parsed.error });
    return commandOf(parsed.data);
  },
};

function parse(frame: Uint8Array | string): unknown {
  if (typeof frame !== 'string') throw new ProtocolError('a binary frame, where JSON text was agreed on');
  if (isDeeperThan(frame, MAX_DEPTH)) throw new ProtocolError(`nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(frame) as unknown;
  } catch (cause) {
    throw new ProtocolError('not JSON', { cause });
  }
}

/** The texts are JSON objects already. */
function dataFrame(messages: NonNullable<Command['messages']>): string {
  const ids = JSON.stringify(messages.map(({ id }) => id));
  return `{"cmd":"data","ids":${ids},"msg":[${messages.map(({ text }) => text).join(',')}]}`;
}

function commandOf({ cmd, ids, msg, code, reason, ...frame }: z.infer<typeof frameSchema>): Command {
  const { appId, installationId, peerId, i, service } = frame;
  return {
    cmd,
    ...defined({ appId, installationId, peerId, i, service }),
    ...payloadOf({ ids, msg }),
    ...(code === undefined ? {} : { error: { code, reason: reason ?? '' } }),
  };
}

function payloadOf({ ids, msg }: Pick<z.infer<typeof frameSchema>, 'ids' | 'msg'>): Pick<Command, 'ids' | 'messages'> {
  if (msg) return { messages: (ids ?? []).slice(0, msg.length).map((id, n) => ({ id, text: JSON.stringify(msg[n]) })) };
  return ids ? { ids } : {};
}
