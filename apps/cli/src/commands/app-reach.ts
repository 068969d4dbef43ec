import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { table } from '../output/table';
import { APP } from './arguments';
import { addCall } from './command';

const reachSchema = z.looseObject({
  hybrid: z.boolean(),
  reachable: z.number(),
  results: z.array(
    z.looseObject({
      channel: z.string(),
      profile: z.string().optional(),
      reason: z.string().optional(),
      count: z.number(),
    }),
  ),
});

export function addReach(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'reach',
    summary: 'whom a push to everybody would reach now, by channel and profile, and why not the others',
    examples: ['apps reach APP_ID'],
    args: [APP],
    request: ([app]) => ['GET', ['apps', app, 'reach']],
    schema: reachSchema,
    toText: ({ hybrid, reachable, results }) =>
      table(
        ['CHANNEL', 'PROFILE', 'INSTALLATIONS', 'REASON'],
        results.map(({ channel, profile = '', reason = '', count }) => [channel, profile, count, reason]),
      ).concat(`reachable: ${reachable}${hybrid ? '' : ' (hybrid is off: no vendor is used)'}\n`),
  });
}
