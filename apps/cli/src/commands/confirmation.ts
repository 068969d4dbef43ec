import type { Command } from 'commander';
import { UsageError } from '../errors';
import { addLeaf, type Leaf, type Session } from './command';

export interface ConfirmOptions {
  readonly yes?: boolean;
}

export const addYes = (command: Command, does: string): Command =>
  command.option('--yes', `${does}; without it nothing is changed`);

interface Confirmed extends Leaf {
  /** What `--yes` lets it do. */
  readonly does: string;
}

/** Adds a command that changes nothing without `--yes`. */
export const addConfirmed = (group: Command, { does, ...leaf }: Confirmed): Command =>
  addYes(addLeaf(group, leaf), does);

/** Examples of a command that asks for `--yes`: a call without it and with it, then others. */
export const examplesWithYes = (call: string, ...others: readonly string[]): readonly string[] => [
  ...[call, `${call} --yes`],
  ...others,
];

/**
 * Whether a command that cannot be taken back may go on. Without `--yes` it says what would go; where nobody sees that, the
 * command fails, so that no script takes it for done.
 */
export function mayGoOn({ io }: Session, { yes = false }: ConfirmOptions, preview: string): boolean {
  if (yes) return true;
  if (!io.isTerminal) throw new UsageError(`nothing was changed: ${preview}`);
  io.writeOut(`${preview}\n`);
  return false;
}
