/** One binding in the text of a client. */
export interface Entry {
  readonly installationId: string;
  /** '' where there was none when it was bound. */
  readonly objectId: string;
  /** When a sweep first missed the installation, in ms since the epoch. */
  readonly missedAt?: number;
}

/** What Redis needs for a client beside its name and its text, about. */
export const CLIENT_BYTES = 100;

/** What the bindings of a client take of Redis, about. */
export const bytesOfClient = (client: string, text: string): number =>
  text === '' ? 0 : CLIENT_BYTES + Buffer.byteLength(client) + Buffer.byteLength(text);

/** With spaces between entries, and tabs in them: an id has neither. */
export const entriesIn = (text: string): readonly Entry[] =>
  text.split(' ').map((entry) => {
    const [installationId = '', objectId = '', missedAt] = entry.split('\t');
    return { installationId, objectId, ...(missedAt === undefined ? {} : { missedAt: Number(missedAt) }) };
  });

export const textOf = (entries: readonly Entry[]): string =>
  entries.map(({ installationId, objectId, missedAt }) => partsOf(installationId, objectId, missedAt)).join(' ');

function partsOf(installationId: string, objectId: string, missedAt: number | undefined): string {
  if (missedAt !== undefined) return `${installationId}\t${objectId}\t${missedAt}`;
  return objectId === '' ? installationId : `${installationId}\t${objectId}`;
}
