import type { Command } from 'commander';
import type { Io } from '../io';

/** Adds to a program or a group. */
type Add = (to: Command, io: Io) => void;

/** A group of commands, in the order in which the help lists them. */
export const groupOf =
  (name: string, about: string, commands: readonly Add[]): Add =>
  (program, io) => {
    const group = program.command(name).description(about);
    for (const add of commands) add(group, io);
  };
