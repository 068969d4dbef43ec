import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { addCall, tableOf } from './command';

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
    ...tableOf({
      item: processSchema,
      head: ['ROLE', 'CHANNEL', 'VERSION', 'KEY', 'SINCE', 'PROCESS'],
      row: ({ role, channel, version, keyId, since, id }) => [role, channel, version, keyId, since, id],
    }),
  });
}
