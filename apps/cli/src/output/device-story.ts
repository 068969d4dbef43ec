import { z } from 'zod';
import { optionalTexts } from './optional-texts';
import { fields, table } from './table';

const standingSchema = z.looseObject({
  isReachable: z.boolean(),
  ...optionalTexts('channel', 'profile', 'reason', 'means', 'remedy'),
});

const waitingSchema = z.looseObject({
  reason: z.string(),
  means: z.string(),
  remedy: z.string(),
  until: z.string().optional(),
  campaignsOnly: z.boolean().optional(),
});

const pushSchema = z.looseObject({
  objectId: z.string(),
  createdAt: z.string(),
  outcome: z.string(),
  ...optionalTexts('channel', 'reason', 'vendorCode', 'message'),
  receipts: z.array(z.string()).optional(),
  inMailbox: z.boolean().optional(),
});

export const storySchema = z.looseObject({
  objectId: z.string(),
  installationId: z.string().optional(),
  updatedAt: z.string(),
  now: standingSchema.extend({ waiting: waitingSchema.optional(), silent: standingSchema.optional() }),
  gateway: z.looseObject({ isConnected: z.boolean(), id: z.string().optional() }),
  mailbox: z.looseObject({ messages: z.number(), oldestAt: z.string().optional() }),
  pushes: z.array(pushSchema),
  pushesLookedAt: z.number(),
  registrationLostTo: z.looseObject({ objectId: z.string(), at: z.string() }).optional(),
});

type Story = z.output<typeof storySchema>;

/** Whether a device is reached, and what its last pushes came to, a line each. */
export const storyText = (story: Story): string =>
  [nowText(story), pushesText(story)].filter((part) => part !== '').join('\n');

function nowText({ objectId, installationId, updatedAt, now, gateway, mailbox, registrationLostTo: lost }: Story) {
  const { waiting, silent } = now;
  return fields([
    ['installation', objectId],
    ['installationId', installationId],
    ['last saved', updatedAt],
    ['reached now', reachText(now)],
    ['means', now.means],
    ['what to do', now.remedy],
    ['a push waits', waiting && waitText(waiting)],
    ['silent pushes', silent && reachText(silent)],
    ['address moved to', lost && `${lost.objectId} (${lost.at})`],
    ['connected', gateway.isConnected ? `yes, to ${gateway.id ?? 'a gateway'}` : 'no'],
    ['mailbox', mailbox.oldestAt === undefined ? 'empty' : `${mailbox.messages} messages since ${mailbox.oldestAt}`],
  ]);
}

function reachText({ isReachable, reason = 'unknown', channel = '', profile = '' }: z.output<typeof standingSchema>) {
  if (!isReachable) return `no: ${reason}`;
  return `yes, by ${channel}${profile === '' ? '' : `, profile ${profile}`}`;
}

const waitText = ({ reason, until, campaignsOnly, remedy }: NonNullable<Story['now']['waiting']>): string =>
  `${reason}${campaignsOnly ? ', if it is a campaign' : ''}${until === undefined ? '' : `, until ${until}`}. ${remedy}`;

function pushesText({ pushes, pushesLookedAt }: Story): string {
  if (pushes.length === 0) return `none of the last ${pushesLookedAt} pushes of the app was for it\n`;
  return table(
    ['PUSH', 'CREATED', 'OUTCOME', 'CHANNEL', 'REASON', 'VENDOR CODE', 'SINCE', 'NOTE'],
    pushes.map(({ objectId, createdAt, outcome, channel, reason, vendorCode, ...push }) => [
      ...[objectId, createdAt, outcome, channel, reason, vendorCode],
      [...(push.receipts ?? []), ...(push.inMailbox ? ['in the mailbox'] : [])].join(', '),
      outcome === 'not-kept' ? push.message : undefined,
    ]),
  );
}
