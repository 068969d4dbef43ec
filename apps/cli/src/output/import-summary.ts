import type { ImportSummary, Reach } from '../import-tally';
import { thousands } from './progress';
import { table } from './table';

interface Target {
  readonly app: string;
  readonly hybrid: boolean;
}

/** What an operator reads at the end of an import. */
export function importText(summary: ImportSummary, { app, hybrid }: Target): string {
  return [
    countsText(summary),
    vendorsText(summary, app),
    unreachableText(summary.reach, app),
    summary.staleEndAt === undefined
      ? ''
      : `Those that are stale are removed from ${summary.staleEndAt.slice(0, 10)} on, unless their devices save again before.\n`,
    hybrid ? '' : `Hybrid is off: no vendor is used until "pushfleet apps update ${app} --hybrid on".\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function countsText({ rows, created, updated, unchanged, superseded, bad, dryRun }: ImportSummary): string {
  const done: readonly (readonly [number, string])[] = [
    [created, 'new'],
    [updated, 'newer than what was here'],
    [unchanged, 'here already'],
    [superseded, 'superseded: a newer installation has the installationId'],
    [bad, 'left out'],
  ];
  const told = done.filter(([count]) => count > 0).map(([count, what]) => `  ${thousands(count)} ${what}\n`);
  return `${thousands(rows)} rows${dryRun === true ? ', nothing was stored' : ''}\n${told.join('')}`;
}

/** Portions are counted one by one: what a later one changes of an earlier one would have to be kept of every row. */
function vendorsText({ reach, dryRun }: ImportSummary, app: string): string {
  const vendors = [...new Set(reach.map(({ vendor }) => vendor))].map((vendor) => {
    const kinds = reach.filter((kind) => kind.vendor === vendor);
    const all = total(kinds);
    return [vendor, all, total(kinds.filter(({ reason }) => reason === undefined))] as const;
  });
  if (vendors.length === 0) return '';
  const note =
    'Counted as the file was read: a row still counts when a later one of the file replaces it or takes its registrationId.\n';
  const end = dryRun === true ? '' : `What the app has in the end: "pushfleet apps reach ${app}".\n`;
  return `${table(['VENDOR', 'ROWS', 'REACHABLE'], vendors)}${note}${end}`;
}

const total = (kinds: readonly Reach[]): number => kinds.reduce((sum, { count }) => sum + count, 0);

const MEANING: Readonly<Record<string, string>> = {
  stale: 'not updated for long: no target until the device saves again',
  'not-valid': 'valid is false in the export',
  'vendor-unknown': 'there is no channel for this vendor',
  'registration-missing': 'has a vendor but no registrationId',
  'platform-unsupported': 'iOS is stored, not served',
};

function unreachableText(reach: readonly Reach[], app: string): string {
  const rows = reach.flatMap(({ vendor, reason, profile, count }) => {
    if (reason === undefined) return [];
    const missing = `no profile "${profile ?? ''}": pushfleet profiles put ${app} CHANNEL ${profile ?? ''}`;
    return [[vendor, reason, count, reason === 'profile-missing' ? missing : (MEANING[reason] ?? '')] as const];
  });
  const own = total(reach.filter(({ vendor, reason }) => vendor === 'none' && reason === undefined));
  const note =
    own === 0 ? '' : `${thousands(own)} without a vendor are reached while the app holds its own connection.\n`;
  return `${rows.length === 0 ? '' : `Not reachable as things are:\n${table(['VENDOR', 'WHY', 'ROWS', 'MEANING'], rows)}`}${note}`;
}
