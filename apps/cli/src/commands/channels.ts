import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { channelSchema, channelsText } from '../output/channel';
import { CHANNEL } from './arguments';
import { addCall, addLeaf, listOf, openSession, understood, type CommonOptions } from './command';
import { addYes, examplesWithYes, notConfirmed, type ConfirmOptions } from './confirmation';
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
  addCall(channels, io, {
    name: 'list',
    summary: 'list every channel: its workers, what stops it, and the depth of its queues',
    examples: ['channels list', 'channels list --json'],
    request: () => ['GET', ['channels']],
    schema: listOf(channelSchema),
    toText: ({ results }) => channelsText(results),
  });
}

const workSchema = z.looseObject({ pushes: z.number(), devices: z.number(), complete: z.boolean() });

interface DiscardOptions extends ScopeOptions, ConfirmOptions {
  readonly atMost?: number;
}

function addDiscard(channels: Command, io: Io): void {
  const discard = addLeaf(channels, {
    name: 'discard',
    summary: 'book what waits and what comes, without calling the vendor; says first how much that is',
    examples: examplesWithYes('channels discard mi', 'channels discard mi --app APP_ID --at-most 1000 --yes'),
    args: [CHANNEL],
  });
  addYes(addScope(discard), 'discard')
    .option('--at-most <n>', 'refuse when more devices than this wait', wholeNumber)
    .action(async (channel: string, { app, profile, yes, atMost, ...options }: DiscardOptions) => {
      const { api, show } = openSession(io, options);
      const path = ['channels', channel, 'discard'];
      const preview = understood(workSchema, await api.request('GET', path, { query: { app, profile } }));
      if (yes !== true) throw notConfirmed(previewText(preview));
      const confirm = atMost ?? preview.devices;
      const changed = await api.request('POST', path, { body: { app, profile, confirm } });
      show(changed, channelSchema, (now) => channelsText([now]));
    });
}

const previewText = ({ pushes, devices, complete }: z.output<typeof workSchema>): string =>
  `${complete ? '' : 'at least '}${devices} devices wait (pushes: ${pushes}); --yes discards them and what comes later`;

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
  const decision = addCall(channels, io, {
    name: verb,
    summary,
    examples,
    args: [CHANNEL],
    request: ([channel], { app, profile }: ScopeOptions) => [
      'POST',
      ['channels', channel, verb],
      { body: { app, profile } },
    ],
    schema: channelSchema,
    toText: (changed) => channelsText([changed]),
  });
  addScope(decision);
}

/** A command about a channel, an app on it, or a profile of the app. */
const addScope = (command: Command): Command =>
  command.option('--app <id>', 'for this app only').option('--profile <name>', 'for this profile of the app only');
