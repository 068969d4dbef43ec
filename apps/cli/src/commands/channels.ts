import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { channelSchema, channelsText } from '../output/channel';
import { addLeaf, listOf, openSession, type CommonOptions, type Leaf } from './command';
import { wholeNumber } from './option-values';

export function addChannelCommands(program: Command, io: Io): void {
  const channels = program
    .command('channels')
    .description('look at the channels of the fleet, stop them and start them');
  addList(channels, io);
  addDecision(channels, io, {
    verb: 'pause',
    summary: 'send nothing; what is asked for waits, at most until it expires',
  });
  addDecision(channels, io, {
    verb: 'drain',
    summary: 'send what was accepted before, let later pushes wait, and pause when the others are done',
  });
  addDiscard(channels, io);
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

const workSchema = z.looseObject({ pushes: z.number(), devices: z.number(), complete: z.boolean() });

interface DiscardOptions extends ScopeOptions {
  readonly yes?: boolean;
  readonly atMost?: number;
}

function addDiscard(channels: Command, io: Io): void {
  addScoped(channels, {
    name: 'discard',
    summary: 'book what waits and what comes, without calling the vendor; says first how much that is',
    examples: [
      'channels discard mi',
      'channels discard mi --yes',
      'channels discard mi --app APP_ID --at-most 1000 --yes',
    ],
  })
    .option('--yes', 'discard; without it nothing is changed')
    .option('--at-most <n>', 'refuse when more devices than this wait', wholeNumber)
    .action(async (channel: string, { app, profile, yes, atMost, ...options }: DiscardOptions) => {
      const { api, show } = openSession(io, options);
      const path = ['channels', channel, 'discard'];
      const preview = await api.request('GET', path, { query: { app, profile } });
      if (yes !== true) return show(preview, workSchema, previewText);
      const confirm = atMost ?? workSchema.parse(preview).devices;
      const changed = await api.request('POST', path, { body: { app, profile, confirm } });
      show(changed, channelSchema, (now) => channelsText([now]));
    });
}

const previewText = ({ pushes, devices, complete }: z.output<typeof workSchema>): string =>
  `${complete ? '' : 'at least '}${devices} devices wait (pushes: ${pushes}); --yes discards them and what comes later\n`;

interface Decision {
  readonly verb: 'pause' | 'drain' | 'resume';
  readonly summary: string;
}

interface ScopeOptions extends CommonOptions {
  readonly app?: string;
  readonly profile?: string;
}

function addDecision(channels: Command, io: Io, { verb, summary }: Decision): void {
  const examples = ['', ' --app APP_ID', ' --app APP_ID --profile game'].map((scope) => `channels ${verb} mi${scope}`);
  addScoped(channels, { name: verb, summary, examples }).action(
    async (channel: string, { app, profile, ...options }: ScopeOptions) => {
      const { api, show } = openSession(io, options);
      const body = { app, profile };
      show(await api.request('POST', ['channels', channel, verb], { body }), channelSchema, (changed) =>
        channelsText([changed]),
      );
    },
  );
}

/** A command about a channel, an app on it, or a profile of the app. */
const addScoped = (channels: Command, leaf: Leaf): Command =>
  addLeaf(channels, leaf)
    .argument('<channel>', 'name of the channel, as `pushfleet channels list` shows it')
    .option('--app <id>', 'for this app only')
    .option('--profile <name>', 'for this profile of the app only');
