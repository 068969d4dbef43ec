import { z } from 'zod';
import type { RequestError } from '../errors';
import { table } from './table';

const checkSchema = z.looseObject({
  check: z.string(),
  subject: z.string(),
  status: z.enum(['ok', 'warning', 'problem']),
  finding: z.string(),
  advice: z.string().optional(),
});

export const doctorSchema = z.looseObject({ ok: z.boolean(), at: z.iso.datetime(), checks: z.array(checkSchema) });

type Check = z.output<typeof checkSchema>;
export type Report = z.output<typeof doctorSchema>;

/** A line per check; below them, what to do. */
export function doctorText({ checks }: Report): string {
  const lines = table(
    ['STATUS', 'CHECK', 'ABOUT', 'FINDING'],
    checks.map(({ status, check, subject, finding }) => [status, check, subject, finding]),
  );
  const advices = checks.flatMap(({ status, check, subject, advice }) =>
    status === 'ok' || advice === undefined ? [] : [[status, check, subject, advice]],
  );
  return advices.length === 0 ? lines : `${lines}\n${table(['STATUS', 'CHECK', 'ABOUT', 'WHAT TO DO'], advices)}`;
}

const CLOCK_WARNING_MS = 1000;
const CLOCK_PROBLEM_MS = 30_000;

/** Signatures and push times that callers write are measured by the clock of the fleet. */
export function clockCheck({ console: at, between }: ConsoleTime): Check {
  const [askedAt, answeredAt] = between;
  const distance = Math.max(0, askedAt - at, at - answeredAt);
  const status = distance > CLOCK_PROBLEM_MS ? 'problem' : distance > CLOCK_WARNING_MS ? 'warning' : 'ok';
  const about = { check: 'console-clock', subject: '', status } as const;
  if (status === 'ok') return { ...about, finding: 'goes as the clock of this machine' };
  return {
    ...about,
    finding: `is ${Math.round(distance / 1000)} s away from the clock of this machine`,
    advice: 'run chrony or another NTP client on both machines',
  };
}

interface ConsoleTime {
  readonly console: number;
  readonly between: readonly [askedAt: number, answeredAt: number];
}

export const reachabilityProblem = ({ message }: RequestError): Check => ({
  check: 'console',
  subject: '',
  status: 'problem',
  finding: message,
  advice:
    'make sure that the console runs, that PUSHFLEET_URL and ADMIN_TOKEN are its own, and that Redis can be reached',
});
