import { InvalidInput, LIMITS, readWhere } from '@pushfleet/domain';
import type { Scanned } from '@pushfleet/store';
import { invalidFields } from './http/problem';
import type { ConsolePorts } from './ports';

interface Search {
  readonly app: string;
  /** As it came. */
  readonly where: string;
  /** objectId of the last one of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** One page of those that a condition holds for, as far as one request looks; what is wrong with the condition stands at its field. */
export async function findInstallations(
  { store: { installations } }: Pick<ConsolePorts, 'store'>,
  { app, where, after, limit, signal }: Search,
): Promise<Scanned> {
  const lookAt = LIMITS.devicesLookedAt.value;
  try {
    return await installations.export({ app, where: readWhere(where), lookAt, after, limit, signal });
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw invalidFields([{ path: 'where', message: error.message.replace(/^where: /, '') }]);
  }
}
