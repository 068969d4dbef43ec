import { ADVICE_TEXTS, DESCRIBED_REASONS, type DescribedReason } from '@pushfleet/domain';
import type { Command } from 'commander';
import { UsageError } from '../errors';
import type { Io } from '../io';
import { fields, table } from '../output/table';
import { addLeaf, type CommonOptions } from './command';

/** Needs no console: the words are the same everywhere. */
export function addReasonsCommand(program: Command, io: Io): void {
  addLeaf(program, {
    name: 'reasons',
    summary: 'say in plain words what a reason in a push record means, and what to do',
    examples: ['reasons', 'reasons profile-missing', 'reasons --json'],
  })
    .argument('[reason]', 'as it stands in the record (default: all of them)')
    .action((reason: string | undefined, { json }: CommonOptions) => {
      const results = reason === undefined ? DESCRIBED_REASONS : described(reason);
      if (json) io.writeOut(`${JSON.stringify({ results })}\n`);
      else io.writeOut(reason === undefined ? listText(results) : results.map(reasonText).join('\n'));
    });
}

/** `quota-exceeded` and `unrecognised-answer` have two meanings: the end of a device, and a wait. */
function described(name: string): readonly DescribedReason[] {
  const found = DESCRIBED_REASONS.filter(({ reason }) => reason === name);
  if (found.length > 0) return found;
  const known = [...new Set(DESCRIBED_REASONS.map(({ reason }) => reason))].join(', ');
  throw new UsageError(`there is no reason ${JSON.stringify(name)}; the reasons are ${known}`);
}

const listText = (reasons: readonly DescribedReason[]): string =>
  table(
    ['REASON', 'KIND', 'MEANS'],
    reasons.map(({ reason, kind, means }) => [reason, kind, means]),
  );

const reasonText = ({ reason, kind, means, remedy, action, retires }: DescribedReason): string =>
  fields([
    ['reason', reason],
    ['kind', kind],
    ['means', means],
    ['what to do', remedy],
    ['action', action && `${action} (${ADVICE_TEXTS[action]})`],
    ['audience', retires ? 'the device leaves it until it saves a new registrationId' : undefined],
  ]);
