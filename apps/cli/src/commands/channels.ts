import type { Command } from 'commander';
import type { Io } from '../io';
import { channelSchema, channelsText } from '../output/channel';
import { addLeaf, listOf, openSession, type CommonOptions } from './command';

export function addChannelCommands(program: Command, io: Io): void {
  const channels = program
    .command('channels')
    .description('look at the channels of the fleet, stop them and start them');
  addList(channels, io);
  addDecision(channels, io, {
    verb: 'pause',
    summary: 'send nothing; what is asked for waits, at most until it expires',
  });
  addDecision(channels, io, { verb: 'drain', summary: 'book what waits and what comes, without calling the vendor' });
  addDecision(channels, io, {
    verb: 'resume',
    summary: 'take back what was decided about exactly this, and let pushes go on that wait for a known answer',
  });
}

function addList(channels: Command, io: Io): void {
  addLeaf(channels, {
    name: 'list',
    summary: 'list every channel: its workers, what stops it, and the depth of its queues',
    examples: ['channels list', 'channels list --json'],
  }).action(async (options: CommonOptions) => {
    const { api, show } = openSession(io, options);
    show(await api.request('GET', ['channels']), listOf(channelSchema), ({ results }) => channelsText(results));
  });
}

interface Decision {
  readonly verb: 'pause' | 'drain' | 'resume';
  readonly summary: string;
}

interface ScopeOptions extends CommonOptions {
  readonly app?: string;
  readonly profile?: string;
}

function addDecision(channels: Command, io: Io, { verb, summary }: Decision): void {
  addLeaf(channels, {
    name: verb,
    summary,
    examples: [
      `channels ${verb} mi`,
      `channels ${verb} mi --app APP_ID`,
      `channels ${verb} mi --app APP_ID --profile game`,
    ],
  })
    .argument('<channel>', 'name of the channel, as `pushfleet channels list` shows it')
    .option('--app <id>', 'for this app only')
    .option('--profile <name>', 'for this profile of the app only')
    .action(async (channel: string, { app, profile, ...options }: ScopeOptions) => {
      const { api, show } = openSession(io, options);
      const body = { app, profile };
      show(await api.request('POST', ['channels', channel, verb], { body }), channelSchema, (changed) =>
        channelsText([changed]),
      );
    });
}
