import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { table } from '../output/table';
import { addLeaf, listOf, openSession, type CommonOptions } from './command';

const depthSchema = z.record(z.string(), z.number());
const channelSchema = z.looseObject({ channel: z.string(), direct: depthSchema, bulk: depthSchema });

const STATES = ['waiting', 'active', 'delayed'];

export function addChannelCommands(program: Command, io: Io): void {
  const channels = program.command('channels').description('look at the channels of the fleet');
  addLeaf(channels, {
    name: 'list',
    summary: 'list every channel with the depth of its queues',
    examples: ['channels list', 'channels list --json'],
  }).action(async (options: CommonOptions) => {
    const { api, show } = openSession(io, options);
    show(await api.request('GET', ['channels']), listOf(channelSchema), ({ results }) =>
      table(
        ['CHANNEL', 'QUEUE', ...STATES.map((state) => state.toUpperCase())],
        results.flatMap(({ channel, direct, bulk }) => [
          [channel, 'direct', ...STATES.map((state) => direct[state] ?? 0)],
          [channel, 'bulk', ...STATES.map((state) => bulk[state] ?? 0)],
        ]),
      ),
    );
  });
}
