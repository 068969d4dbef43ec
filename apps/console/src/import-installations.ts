import { fatesOf, LIMITS, type App } from '@pushfleet/domain';
import { AppFull, newestOfEach, openTurn, type ImportedInstallation, type ImportOutcome } from '@pushfleet/store';
import { z } from 'zod';
import { fateRules } from './fate-rules';
import { readInstallationRow } from './installation-row';
import type { ConsolePorts } from './ports';
import { reachOf, vendorsOf, type Reach } from './reach';

/** Each row is judged by itself, so here it is anything. */
export const installationImportSchema = z.strictObject({
  rows: z.array(z.unknown()).min(1).max(LIMITS.importRows.value),
  dryRun: z.boolean().default(false),
});

export interface InstallationImport extends Readonly<Record<ImportOutcome, number>> {
  /** `index` counts from 0. */
  readonly bad: readonly { readonly index: number; readonly objectId?: string; readonly error: string }[];
  readonly reach: readonly Reach[];
  /** Of those that are stale: when they are removed unless their devices save again. */
  readonly staleEndAt?: string;
}

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'now' | 'staleAfterMs' | 'deleteAfterMs'>;

interface Wish extends z.output<typeof installationImportSchema> {
  /** Called when the rows are stored; what becomes of them is told only behind it. */
  readonly onStored: (counts: Pick<InstallationImport, 'created' | 'updated'>) => void;
  /** Called when that failed half way: some of them may be stored. */
  readonly onUnclear: () => void;
}

/** Stores the rows that are sound, and tells of the others; a dry run only tells. */
export async function importInstallations(
  ports: Ports,
  app: App,
  { rows, dryRun, onStored, onUnclear }: Wish,
): Promise<InstallationImport> {
  const now = ports.now();
  const staleBefore = now - ports.staleAfterMs;
  const { sound, bad } = await readRows(rows);
  const store = () =>
    ports.store.installations.import(app.id, sound, { now, staleBefore }).catch((error: unknown) => {
      // Room is made for all of them before the first.
      if (!(error instanceof AppFull)) onUnclear();
      throw error;
    });
  const outcomes = dryRun ? [] : await store();
  const count = (outcome: ImportOutcome): number => outcomes.filter((one) => one === outcome).length;
  if (!dryRun) onStored({ created: count('created'), updated: count('updated') });
  // One that is here already, and newer, is not of this import.
  const kept = newestOfEach(sound.filter((_, i) => outcomes[i] !== 'superseded'));
  const reach = reachOf(
    kept.map(({ doc }) => doc),
    // As if hybrid were on: that is what the vendors and profiles of an import are for.
    { fateOf: fatesOf(await fateRules(ports, { ...app, hybrid: true })), vendors: vendorsOf(ports), staleBefore },
  );
  const hasStale = reach.some(({ reason }) => reason === 'stale');
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    superseded: count('superseded'),
    bad,
    reach,
    ...(hasStale ? { staleEndAt: new Date(now + ports.deleteAfterMs).toISOString() } : {}),
  };
}

/** In turns with everything else that the console does: thousands of rows take seconds. */
async function readRows(
  rows: readonly unknown[],
): Promise<{ readonly sound: readonly ImportedInstallation[]; readonly bad: InstallationImport['bad'] }> {
  const sound: ImportedInstallation[] = [];
  const bad: InstallationImport['bad'][number][] = [];
  const turn = openTurn();
  for (const [index, input] of rows.entries()) {
    if (turn.isOver()) await turn.pause();
    const read = readInstallationRow(input);
    if ('row' in read) sound.push(read.row);
    else bad.push({ index, ...identityOf(input), error: read.error });
  }
  return { sound, bad };
}

function identityOf(input: unknown): { readonly objectId?: string } {
  const objectId = typeof input === 'object' && input !== null && 'objectId' in input ? input.objectId : undefined;
  return typeof objectId === 'string' ? { objectId: objectId.slice(0, 64) } : {};
}
