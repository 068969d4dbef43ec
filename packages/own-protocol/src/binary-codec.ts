import { ProtocolError, type Codec, type Command, type CommandName } from './command';
import { defined } from './defined';
import { COMMAND_NUMBERS, genericCommand } from './schema';

/** The fields that a frame has; what the library sets of its own accord is on the prototype and left there. */
interface WireCommand {
  readonly cmd?: number;
  readonly appId?: string;
  readonly peerId?: string;
  readonly i?: number;
  readonly installationId?: string;
  readonly service?: number;
  readonly dataMessage?: { readonly ids: readonly string[]; readonly msg: readonly { readonly data: string }[] };
  readonly errorMessage?: { readonly code: number; readonly reason: string };
  readonly ackMessage?: { readonly ids: readonly string[] };
}

const NAMES: ReadonlyMap<number, CommandName> = new Map(
  Object.entries(COMMAND_NUMBERS).map(([name, number]) => [number, name as CommandName]),
);

/** One protobuf message per frame: `lc.protobuf2.3` and `lc.protobuf2.1`. */
export const binaryCodec: Codec = {
  encode: (command) => genericCommand.encode(genericCommand.create(wireOf(command))).finish(),
  decode(frame) {
    if (typeof frame === 'string') throw new ProtocolError('a text frame, where protobuf was agreed on');
    return commandOf(read(frame));
  },
};

function read(frame: Uint8Array): WireCommand {
  try {
    return { ...genericCommand.decode(frame) } as WireCommand;
  } catch (cause) {
    throw new ProtocolError('not a protobuf command', { cause });
  }
}

function commandOf(wire: WireCommand): Command {
  const {
    cmd = COMMAND_NUMBERS['session'],
    appId,
    peerId,
    i,
    installationId,
    service,
    dataMessage,
    errorMessage,
    ackMessage,
  } = wire;
  return defined({
    cmd: NAMES.get(cmd) ?? 'other',
    appId,
    peerId,
    i,
    installationId,
    service,
    messages: dataMessage && pairsOf(dataMessage),
    ids: ackMessage && (ackMessage.ids ?? []),
    error: errorMessage && { code: errorMessage.code, reason: errorMessage.reason },
  });
}

/** The published clients handle as many messages as there are both ids and texts. */
const pairsOf = ({ ids = [], msg = [] }: NonNullable<WireCommand['dataMessage']>) =>
  ids.slice(0, msg.length).map((id, n) => ({ id, text: msg[n]?.data ?? '' }));

function wireOf({ cmd, appId, peerId, i, installationId, service, messages, ids, error }: Command): WireCommand {
  return defined({
    cmd: cmd === 'other' ? undefined : COMMAND_NUMBERS[cmd],
    appId,
    peerId,
    i,
    installationId,
    service,
    dataMessage: messages && { ids: messages.map(({ id }) => id), msg: messages.map(({ text }) => ({ data: text })) },
    errorMessage: error,
    ackMessage: ids && { ids },
  });
}
