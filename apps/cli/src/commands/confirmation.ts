import type { Command } from 'commander';
import { UsageError } from '../errors';
import { addLeaf, type Leaf } from './command';

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

/** How a command that cannot be taken back ends without `--yes`: it says what would go, and no script takes it for done. */
export const notConfirmed = (preview: string): UsageError => new UsageError(`nothing was changed: ${preview}`);
