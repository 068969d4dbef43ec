import { idIn } from '../identity/ids';
import { candidateOf, isNewer, type ImportedInstallation, type Version } from './candidate';

/**
 * Of rows that are of one installation, the one that stays: that is the newest, whatever their order. Of those that stay with
 * one registrationId the newest keeps it.
 */
export function newestOfEach(rows: readonly ImportedInstallation[]): readonly ImportedInstallation[] {
  const versions = new Map(rows.map((row) => [row, candidateOf(row, {}).version]));
  const byRecord = newestBy(rows, versions, ({ objectId }) => objectId);
  const byDevice = newestBy(byRecord, versions, ({ doc }) => idIn(doc, 'installationId'));
  const holders = new Set(newestBy(byDevice, versions, ({ doc }) => idIn(doc, 'registrationId')));
  return byDevice.map((row) => (holders.has(row) ? row : withoutRegistration(row)));
}

function newestBy(
  rows: readonly ImportedInstallation[],
  versions: ReadonlyMap<ImportedInstallation, Version>,
  idOf: (row: ImportedInstallation) => string | undefined,
): readonly ImportedInstallation[] {
  const newest = new Map<ImportedInstallation | string, ImportedInstallation>();
  for (const row of rows) {
    // What has no id is one by itself.
    const id = idOf(row) ?? row;
    const [known, version] = [newest.get(id), versions.get(row)];
    const other = known && versions.get(known);
    if (!other || (version && isNewer(version, other))) newest.set(id, row);
  }
  return [...newest.values()];
}

function withoutRegistration({ objectId, doc }: ImportedInstallation): ImportedInstallation {
  const { registrationId: _, ...left } = doc;
  return { objectId, doc: left };
}
