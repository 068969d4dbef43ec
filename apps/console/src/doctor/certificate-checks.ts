import { DAY_MS } from '@pushfleet/domain';
import type { FleetProcess } from '@pushfleet/store';
import { problem, verdict, warning, type Check } from './check';

/** What renews certificates by itself does so earlier: within this, nothing does. */
const SOON_MS = 14 * DAY_MS;

const RENEW = 'renew it in TLS_CERT_FILE and TLS_KEY_FILE: a process reads both again by itself';

interface Shown {
  readonly role: string;
  readonly endsAt: number;
}

/** When the first of the certificates that processes show runs out; nothing where none speaks TLS. */
export function certificateChecks(processes: readonly FleetProcess[], now: number): readonly Check[] {
  const [first] = processes
    .flatMap(({ role, certificateEndsAt: endsAt }): readonly Shown[] =>
      endsAt === undefined ? [] : [{ role, endsAt }],
    )
    .toSorted((a, b) => a.endsAt - b.endsAt);
  if (!first) return [];
  const ends = new Date(first.endsAt).toISOString();
  return [
    verdict({ check: 'certificates', subject: first.role }, `holds until ${ends}`, [
      first.endsAt <= now && problem(`ran out at ${ends}: nobody can connect who checks it`, RENEW),
      first.endsAt - now < SOON_MS && warning(`runs out at ${ends}`, RENEW),
    ]),
  ];
}
