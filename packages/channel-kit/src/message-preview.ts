import type { Discarded, Json } from '@pushfleet/domain';
import type { MessagePreview, PushBatch } from './vendor-session';

export type Shown = Pick<MessagePreview, 'shown'>;

/** Title and text as they stand in a message of a vendor; empty where it has no text. */
export const shownAs = (title: Json | undefined, text: Json | undefined): Shown =>
  typeof text === 'string' && text !== '' ? { shown: { title: typeof title === 'string' ? title : '', text } } : {};

/** A batch in the vendor's words, as `send` puts it into one call, with what the record tells about it. */
export interface BuiltRequest extends Shown {
  readonly kind: 'request';
  readonly body: string;
  /** A text was cut to the vendor's limit. */
  readonly truncated?: boolean;
  readonly notes: readonly string[];
}

/** The message that a builder makes of a batch, without its devices. */
export function previewBy(
  build: (batch: PushBatch) => BuiltRequest | Discarded,
  batch: PushBatch,
): MessagePreview | Discarded {
  const built = build({ ...batch, registrationIds: [] });
  if (built.kind === 'discarded') return built;
  const { body, truncated = false, notes, shown } = built;
  return { kind: 'preview', bytes: Buffer.byteLength(body), truncated, notes, ...(shown ? { shown } : {}) };
}
