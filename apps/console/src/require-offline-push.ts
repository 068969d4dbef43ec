import { SectionProblem, sectionParsers } from '@pushfleet/channel-kit';
import { InvalidInput, requirePushable, type JsonObject } from '@pushfleet/domain';
import { invalidFields } from './http/problem';
import type { ConsolePorts } from './ports';

/** Refuses the content of offline pushes that could not be pushed: every message without content of its own would be refused. */
export function requireOfflinePush(
  { channels }: Pick<ConsolePorts, 'channels'>,
  { offlinePush }: { readonly offlinePush?: JsonObject | null | undefined },
): void {
  if (!offlinePush) return;
  try {
    requirePushable(offlinePush, sectionParsers(channels.values()));
  } catch (error) {
    if (!(error instanceof InvalidInput || error instanceof SectionProblem)) throw error;
    const [path = '', ...words] = error.message.split(': ');
    throw invalidFields([{ path, message: words.join(': ') }]);
  }
}
