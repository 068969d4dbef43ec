import { ProtocolError, type Codec, type Command, type CommandName } from './command';
import { COMMAND_NUMBERS, genericCommand } from './schema';

/** What the library makes of a frame; absent fields are `undefined`. */
interface WireCommand {
  readonly cmd?: number;
  readonly appId?: string;
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
    const message = genericCommand.decode(frame);
    return genericCommand.toObject(message) as WireCommand;
  } catch (cause) {
    throw new ProtocolError('not a protobuf command', { cause });
  }
}

function commandOf(wire: WireCommand): Command {
  const {
    cmd = COMMAND_NUMBERS['session'],
    appId,
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
    i,
    installationId,
    service,
    messages: dataMessage && pairsOf(dataMessage),
    ids: ackMessage && (ackMessage.ids ?? []),
    error: errorMessage,
  });
}

/** The published clients handle as many messages as there are both ids and texts. */
const pairsOf = ({ ids = [], msg = [] }: NonNullable<WireCommand['dataMessage']>) =>
  ids.slice(0, msg.length).map((id, n) => ({ id, text: msg[n]?.data ?? '' }));

function wireOf({ cmd, appId, i, installationId, service, messages, ids, error }: Command): WireCommand {
  return defined({
    cmd: cmd === 'other' ? undefined : COMMAND_NUMBERS[cmd],
    appId,
    i,
    installationId,
    service,
    dataMessage: messages && { ids: messages.map(({ id }) => id), msg: messages.map(({ text }) => ({ data: text })) },
    errorMessage: error,
    ackMessage: ids && { ids },
  });
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Presence matters on this wire: a field that is not there is not there. */
function defined<T extends object>(fields: T): Partial<Defined<T>> & Pick<Defined<T>, 'cmd' & keyof T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
