import { answerOf, EXAMPLE_AT, listOf, ofFleet, operationsOn, ref, type Operation, type Operations } from './operation';

const aboutChannels = operationsOn('channels');

const CHANNEL = {
  channel: 'mi',
  consumers: 2,
  controls: [],
  breakers: [],
  heldPushes: [],
  vendorWaits: [],
  callLimits: [{ app: 'app', profile: '_default', queue: 'bulk', workers: 2, allowed: 96, latencyMs: 180 }],
  budget: { callsPerSecond: 100 },
  direct: { waiting: 0, active: 1 },
  bulk: { waiting: 0, active: 2 },
};

const deciding = (id: string, summary: string): Operation => ({
  id,
  summary,
  access: ofFleet('operator'),
  tag: 'channels',
  problems: ['not-found', 'conflict'],
  settles: true,
  description: 'Of the whole channel, of an app, or of one profile of an app.',
  body: { schema: ref('ChannelScope'), example: {}, isOptional: true },
  answer: { status: 200, description: 'The channel as it is now.', schema: ref('Channel'), example: CHANNEL },
});

export const channelOperations: Operations = {
  'GET /api/v1/channels': {
    ...aboutChannels('listChannels', ofFleet('viewer'), 'Every channel, its workers and what waits'),
    problems: [],
    answer: {
      status: 200,
      description: 'All of them.',
      schema: listOf('Channel'),
      example: { results: [CHANNEL] },
    },
  },
  'GET /api/v1/backlog': {
    ...aboutChannels('backlog', ofFleet('viewer'), 'What the channels have left to do, and what it waits for'),
    description: 'Of the 2,048 open pushes that wait longest, about. Channels without any are left out.',
    problems: [],
    answer: answerOf('By channel.', ref('Backlog'), {
      results: [
        {
          channel: 'mi',
          pushes: 2,
          devices: 55_135,
          waitsSince: EXAMPLE_AT,
          estimatedDoneAt: EXAMPLE_AT,
          waiting: [{ reason: 'budget-spent', pushes: 1, devices: 55_000 }],
        },
      ],
      complete: true,
    }),
  },
  'GET /api/v1/throughput': {
    ...aboutChannels('throughput', ofFleet('viewer'), 'How many devices the channels have decided about'),
    description: 'Sums that only grow: what lies between two answers, by the time between them, is a speed.',
    problems: [],
    answer: answerOf('By channel.', ref('Throughput'), {
      at: EXAMPLE_AT,
      results: [{ channel: 'mi', decided: 1_204_331 }],
    }),
  },
  'GET /api/v1/stats': {
    ...aboutChannels('stats', ofFleet('viewer'), 'What the channels have decided about and what they have left to do'),
    description: 'What `/throughput` and `/backlog` tell, of every channel, in one answer.',
    problems: [],
    answer: answerOf('By channel.', ref('Stats'), {
      at: EXAMPLE_AT,
      complete: true,
      results: [{ channel: 'mi', decided: 1_204_331, pushes: 0, devices: 0, waiting: [] }],
    }),
  },
  'POST /api/v1/channels/:channel/pause': deciding('pauseChannel', 'Send nothing; work waits'),
  'POST /api/v1/channels/:channel/drain': deciding(
    'drainChannel',
    'Send what was accepted before; later pushes wait, and the channel is paused when the others are done',
  ),
  'GET /api/v1/channels/:channel/discard': {
    id: 'previewDiscard',
    access: ofFleet('operator'),
    tag: 'channels',
    summary: 'What a discard would take away now',
    query: {
      app: { description: 'Of this app; absent: of every app.', schema: { type: 'string', minLength: 1 } },
      profile: {
        description: 'Of the app. Its work is counted with that of the other profiles.',
        schema: { type: 'string', minLength: 1 },
      },
    },
    answer: {
      status: 200,
      description: 'Nothing is changed.',
      schema: ref('ChannelWork'),
      example: { pushes: 2, devices: 55135, complete: true },
    },
    problems: ['not-found'],
  },
  'POST /api/v1/channels/:channel/discard': {
    ...deciding('discardChannel', 'Book what waits and what comes without calling the vendor'),
    description:
      'Each device is discarded as `channel-unavailable`, until the channel is resumed or decided about anew.',
    body: { schema: ref('ChannelDiscard'), example: { confirm: 55135 } },
    problems: ['not-found', 'conflict'],
  },
  'POST /api/v1/channels/:channel/resume': deciding(
    'resumeChannel',
    'Take back what was decided, and let pushes go on that wait for a known answer',
  ),
};
