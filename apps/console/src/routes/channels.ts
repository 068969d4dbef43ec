import { jsonAnswer } from '@pushfleet/http-edge';
import type { ControlScope } from '@pushfleet/store';
import { z } from 'zod';
import { channelView } from '../channel-view';
import { get, post, type AdminCall, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import type { ChannelDepths } from '../queues';
import { requireApp } from '../require-app';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'queues' | 'now'>;

export const scopeSchema = z
  .strictObject({ app: z.string().min(1).optional(), profile: z.string().min(1).optional() })
  .refine(({ app, profile }) => app !== undefined || profile === undefined, {
    path: ['app'],
    message: 'is required beside profile',
  });

const DECISIONS = { pause: 'paused', drain: 'draining' } as const;

export function channelRoutes(ports: Ports): readonly AdminRoute[] {
  const { controls, pushHolds } = ports.store.pacing;

  const deciding = (verb: keyof typeof DECISIONS): AdminRoute =>
    post(`/channels/:channel/${verb}`, async (call) => {
      const { depths, scope } = await read(ports, call);
      await requireScope(ports, depths.channel, scope);
      await controls.set(depths.channel, { state: DECISIONS[verb], ...scope, since: ports.now() });
      call.changed({}, { ...scope, state: DECISIONS[verb] });
      return jsonAnswer(200, await channelView(ports, depths));
    });

  return [
    get('/channels', async () => {
      const depths = await ports.queues.depths();
      return jsonAnswer(200, { results: await Promise.all(depths.map((channel) => channelView(ports, channel))) });
    }),

    deciding('pause'),
    deciding('drain'),

    post('/channels/:channel/resume', async (call) => {
      const { depths, scope } = await read(ports, call);
      const released = await pushHolds.lift(depths.channel, scope);
      // What was decided about an app that was deleted since can still be taken back.
      const isLifted = await controls.lift(depths.channel, scope);
      if (!isLifted && released === 0) await requireScope(ports, depths.channel, scope);
      call.changed({}, { ...scope, isLifted, released });
      return jsonAnswer(200, await channelView(ports, depths));
    }),
  ];
}

async function read(
  ports: Ports,
  { params, body }: AdminCall<'channel'>,
): Promise<{ depths: ChannelDepths; scope: ControlScope }> {
  const channels = await ports.queues.depths();
  const depths = channels.find(({ channel }) => channel === params.channel);
  if (!depths) {
    const known = channels.map(({ channel }) => channel).join(', ');
    throw new Problem('not-found', `there is no channel ${JSON.stringify(params.channel)}; known are: ${known}`);
  }
  const { app, profile } = parse(scopeSchema, body);
  return { depths, scope: { ...(app === undefined ? {} : { app }), ...(profile === undefined ? {} : { profile }) } };
}

async function requireScope(ports: Ports, channel: string, { app: id, profile }: ControlScope): Promise<void> {
  if (id === undefined) return;
  const { id: app } = await requireApp(ports, id);
  if (profile !== undefined && !(await ports.store.profiles.get({ app, channel, profile })))
    throw new Problem('not-found', `the app ${app} has no profile ${profile} for the channel ${channel}`);
}
