import { jsonAnswer } from '@pushfleet/http-edge';
import type { Control, ControlScope, OpenWork } from '@pushfleet/store';
import { z } from 'zod';
import { readBacklogs, toldBacklog } from '../backlog';
import { channelView } from '../channel-view';
import { DEAR, get, post, type AdminCall, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import type { ChannelDepths } from '../queues';
import { requireApp } from '../require-app';
import { statsOf } from '../stats';
import { readThroughput } from '../throughput';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'queues' | 'now'>;

export const scopeSchema = z
  .strictObject({ app: z.string().min(1).optional(), profile: z.string().min(1).optional() })
  .refine(({ app, profile }) => app !== undefined || profile === undefined, {
    path: ['app'],
    message: 'is required beside profile',
  });

/** `confirm`: as many devices as may be discarded of what waits at the moment. */
export const discardSchema = scopeSchema.safeExtend({
  confirm: z.int().min(0).optional().describe('Devices that wait and may be discarded; refused when there are more.'),
});

const DECISIONS = { pause: 'paused', drain: 'draining' } as const;

export function channelRoutes(ports: Ports): readonly AdminRoute[] {
  const { controls, pushHolds } = ports.store.pacing;

  const decide = async (call: AdminCall<'channel'>, { depths, scope }: Scoped, state: Control['state']) => {
    await controls.set(depths.channel, { state, ...scope, since: ports.now() });
    call.changed({}, { ...scope, state });
    return jsonAnswer(200, await channelView(ports, depths));
  };

  const deciding = (verb: keyof typeof DECISIONS): AdminRoute =>
    post(`/channels/:channel/${verb}`, async (call) => {
      const scoped = await read(ports, call, parse(scopeSchema, call.body));
      await requireScope(ports, scoped);
      return decide(call, scoped, DECISIONS[verb]);
    });

  return [
    ...workRoutes(ports),

    deciding('pause'),
    deciding('drain'),

    get(
      '/channels/:channel/discard',
      async (call) => {
        const scoped = await read(ports, call, parse(scopeSchema, call.query));
        await requireScope(ports, scoped);
        const { pushes, devices, isComplete: complete } = await workOf(ports, scoped);
        return jsonAnswer(200, { pushes, devices, complete });
      },
      DEAR,
    ),

    post('/channels/:channel/discard', async (call) => {
      const { confirm, ...scope } = parse(discardSchema, call.body);
      const scoped = await read(ports, call, scope);
      await requireScope(ports, scoped);
      requireConfirmed(await workOf(ports, scoped), confirm);
      return decide(call, scoped, 'discarding');
    }),

    post('/channels/:channel/resume', async (call) => {
      const { depths, scope } = await read(ports, call, parse(scopeSchema, call.body));
      const released = await pushHolds.lift(depths.channel, scope);
      if (released > 0) call.changed({}, { ...scope, released });
      // What was decided about an app that was deleted since can still be taken back.
      const isLifted = await controls.lift(depths.channel, scope);
      if (!isLifted && released === 0) await requireScope(ports, { depths, scope });
      call.changed({}, { ...scope, isLifted, released });
      return jsonAnswer(200, await channelView(ports, depths));
    }),
  ];
}

/** What channels have to do, and have done. */
const workRoutes = (ports: Ports): readonly AdminRoute[] => [
  get('/channels', async () => {
    const depths = await ports.queues.depths();
    return jsonAnswer(200, { results: await Promise.all(depths.map((channel) => channelView(ports, channel))) });
  }),

  get(
    '/backlog',
    async () => {
      const { channels, isComplete: complete } = await readBacklogs(ports);
      return jsonAnswer(200, { results: channels.map(toldBacklog), complete });
    },
    DEAR,
  ),

  get('/throughput', async () => jsonAnswer(200, await readThroughput(ports)), DEAR),

  get(
    '/stats',
    async () => {
      const [throughput, backlogs] = await Promise.all([readThroughput(ports), readBacklogs(ports)]);
      return jsonAnswer(200, statsOf(throughput, backlogs));
    },
    DEAR,
  ),
];

interface Scoped {
  readonly depths: ChannelDepths;
  readonly scope: ControlScope;
}

async function read(
  ports: Ports,
  { params }: Pick<AdminCall<'channel'>, 'params'>,
  { app, profile }: z.output<typeof scopeSchema>,
): Promise<Scoped> {
  const channels = await ports.queues.depths();
  const depths = channels.find(({ channel }) => channel === params.channel);
  if (!depths) {
    const known = channels.map(({ channel }) => channel).join(', ');
    throw new Problem('not-found', `there is no channel ${JSON.stringify(params.channel)}; known are: ${known}`);
  }
  return { depths, scope: { ...(app === undefined ? {} : { app }), ...(profile === undefined ? {} : { profile }) } };
}

async function requireScope(ports: Ports, { depths: { channel }, scope: { app: id, profile } }: Scoped): Promise<void> {
  if (id === undefined) return;
  const { id: app } = await requireApp(ports, id);
  if (profile !== undefined && !(await ports.store.profiles.get({ app, channel, profile })))
    throw new Problem('not-found', `the app ${app} has no profile ${profile} for the channel ${channel}`);
}

/** Of an app all of its profiles are counted: the books of a push know channels. */
const workOf = ({ store }: Ports, { depths: { channel }, scope: { app } }: Scoped): Promise<OpenWork> =>
  store.countOpenWork({ channel, app });

function requireConfirmed({ pushes, devices, isComplete }: OpenWork, confirm = -1): void {
  if (devices <= confirm) return;
  const least = isComplete ? '' : 'at least ';
  const asked = confirm < 0 ? 'confirm says how many may be discarded' : `confirm allows ${confirm}`;
  throw new Problem(
    'conflict',
    `${least}${devices} devices wait (pushes: ${pushes}), and ${asked}; nothing was discarded`,
  );
}
