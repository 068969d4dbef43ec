import type { ControlScope } from '@pushfleet/store';
import { Router, type Request } from 'express';
import { z } from 'zod';
import { channelView } from '../channel-view';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import type { ChannelDepths } from '../queues';
import { requireApp } from '../require-app';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'queues' | 'now'>;

const scopeSchema = z
  .strictObject({ app: z.string().min(1).optional(), profile: z.string().min(1).optional() })
  .refine(({ app, profile }) => app !== undefined || profile === undefined, {
    path: ['app'],
    message: 'is required beside profile',
  });

const DECISIONS = { pause: 'paused', drain: 'draining' } as const;

export function channelRoutes(ports: Ports): Router {
  const { controls } = ports.store.pacing;
  const router = Router();

  router.get('/channels', async (_req, res) => {
    const depths = await ports.queues.depths();
    res.json({ results: await Promise.all(depths.map((channel) => channelView(ports, channel))) });
  });

  for (const verb of ['pause', 'drain'] as const)
    router.post(`/channels/:channel/${verb}`, async (req, res) => {
      const { depths, scope } = await read(ports, req);
      await requireScope(ports, depths.channel, scope);
      await controls.set(depths.channel, { state: DECISIONS[verb], ...scope, since: ports.now() });
      res.json(await channelView(ports, depths));
    });

  router.post('/channels/:channel/resume', async (req, res) => {
    const { depths, scope } = await read(ports, req);
    // What was decided about an app that was deleted since can still be taken back.
    if (!(await controls.lift(depths.channel, scope))) await requireScope(ports, depths.channel, scope);
    res.json(await channelView(ports, depths));
  });

  return router;
}

async function read(
  ports: Ports,
  req: Request<{ channel: string }>,
): Promise<{ depths: ChannelDepths; scope: ControlScope }> {
  const channels = await ports.queues.depths();
  const depths = channels.find(({ channel }) => channel === req.params.channel);
  if (!depths) {
    const known = channels.map(({ channel }) => channel).join(', ');
    throw new Problem('not-found', `there is no channel ${JSON.stringify(req.params.channel)}; known are: ${known}`);
  }
  const { app, profile } = parse(scopeSchema, req.body ?? {});
  return { depths, scope: { ...(app === undefined ? {} : { app }), ...(profile === undefined ? {} : { profile }) } };
}

async function requireScope(ports: Ports, channel: string, { app: id, profile }: ControlScope): Promise<void> {
  if (id === undefined) return;
  const { id: app } = await requireApp(ports, id);
  if (profile !== undefined && !(await ports.store.profiles.get({ app, channel, profile })))
    throw new Problem('not-found', `the app ${app} has no profile ${profile} for the channel ${channel}`);
}
