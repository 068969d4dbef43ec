import {
  CHANNEL_ATTRIBUTE,
  type Accepted,
  type ChannelMessage,
  type JsonObject,
  type Outcome,
} from '@pushfleet/domain';

/** The record then tells these words, for as many devices as took the message. */
export const withNotes = (outcomes: readonly Outcome[], notes: readonly string[]): readonly Outcome[] =>
  notes.length === 0 ? outcomes : acceptedWith(outcomes, { notes });

/** The record then tells, for as many devices as took the message, that a text of it was cut. */
export const withCut = (outcomes: readonly Outcome[], truncated: boolean): readonly Outcome[] =>
  truncated ? acceptedWith(outcomes, { truncated }) : outcomes;

/** Devices that share one outcome share the new one, too: a batch has a thousand of them. */
function acceptedWith(outcomes: readonly Outcome[], more: Pick<Accepted, 'notes' | 'truncated'>): readonly Outcome[] {
  const changed = new Map<Outcome, Outcome>();
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'accepted') return outcome;
    const known = changed.get(outcome) ?? { ...outcome, ...more };
    changed.set(outcome, known);
    return known;
  });
}

/** Attributes that a notification leaves out because of their names. */
export const reservedNotes = ({ reservedNames = [] }: ChannelMessage): readonly string[] =>
  reservedNames.length === 0 ? [] : [`attributes: ${reservedNames.join(', ').slice(0, 120)} left out, reserved names`];

export const NO_CHANNEL_NOTE = 'attributes: the channel of the push (_channel) did not fit';

/** The message without the name of its channel, which comes along where there is room; undefined when it has none. */
export function withoutChannelName(message: ChannelMessage): ChannelMessage | undefined {
  if (message.attributes[CHANNEL_ATTRIBUTE] === undefined) return undefined;
  return { ...message, attributes: withoutChannel(message.attributes), data: withoutChannel(message.data) };
}

function withoutChannel({ [CHANNEL_ATTRIBUTE]: _, ...rest }: JsonObject): JsonObject {
  return rest;
}
