import { candidateOf, isNewer, type ImportedInstallation, type Version } from './candidate';

/** Of rows that are of one installation, the one that stays: that is the newest, whatever their order. */
export function newestOfEach(rows: readonly ImportedInstallation[]): readonly ImportedInstallation[] {
  const versions = new Map(rows.map((row) => [row, candidateOf(row, {}).version]));
  const byRecord = newestBy(rows, versions, ({ objectId }) => objectId);
  return newestBy(byRecord, versions, ({ doc: { installationId: id } }) => (typeof id === 'string' ? id : undefined));
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
