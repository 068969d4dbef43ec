import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { table } from '../output/table';
import { addCall, listOf } from './command';

const processSchema = z.looseObject({
  id: z.string(),
  role: z.string(),
  channel: z.string().optional(),
  version: z.string(),
  keyId: z.string().optional(),
  since: z.string(),
});

export function addProcessesCommand(program: Command, io: Io): void {
  addCall(program, io, {
    name: 'processes',
    summary: 'list the living processes of the fleet: role, version, key and since when',
    examples: ['processes', 'processes --json'],
    request: () => ['GET', ['processes']],
    schema: listOf(processSchema),
    toText: ({ results }) =>
      table(
        ['ROLE', 'CHANNEL', 'VERSION', 'KEY', 'SINCE', 'PROCESS'],
        results.map(({ role, channel, version, keyId, since, id }) => [role, channel, version, keyId, since, id]),
      ),
  });
}
