import type { Discarded } from '@pushfleet/domain';
import type { MessagePreview, PushBatch } from './channel';

/** A batch in the vendor's words, as `send` would put it into one call. */
interface Built {
  readonly kind: 'request';
  readonly body: string;
  readonly truncated?: boolean;
  readonly notes: readonly string[];
}

/** The message that a builder makes of a batch, without its devices. */
export function previewBy(
  build: (batch: PushBatch) => Built | Discarded,
  batch: PushBatch,
): MessagePreview | Discarded {
  const built = build({ ...batch, registrationIds: [] });
  if (built.kind === 'discarded') return built;
  const { body, truncated = false, notes } = built;
  return { kind: 'preview', bytes: Buffer.byteLength(body), truncated, notes };
}
