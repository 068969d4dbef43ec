import type { JsonObject } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { DEAR, get, type AdminRoute } from '../http/admin-route';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { requireApp } from '../require-app';
import { deviceNow } from '../story/device-now';
import { lastPushes } from '../story/last-pushes';
import { ownConnection } from '../story/own-connection';

/** Why one device gets pushes, or does not. */
export const deviceStoryRoutes = (ports: ConsolePorts): readonly AdminRoute[] => [
  get(
    '/apps/:id/installations/:installationId/story',
    async ({ params }) => {
      const app = await requireApp(ports, params.id);
      const found = await ports.store.installations.inspect(app.id, params.installationId);
      if (!found) throw new Problem('not-found', `app ${app.id} has no installation ${params.installationId}`);
      const { installation, bucket, registrationTakenFrom, registrationLostTo } = found;
      const { installationId } = installation;
      const named = typeof installationId === 'string' ? installationId : undefined;
      const { gateway, mailbox, heldPushes } = await ownConnection(ports, app.id, named);
      const device = { installation, bucket: bucket === '' ? undefined : bucket };
      const told: JsonObject = {
        objectId: installation.objectId,
        ...(named === undefined ? {} : { installationId: named }),
        createdAt: installation.createdAt,
        updatedAt: installation.updatedAt,
        now: await deviceNow(ports, app, { installation, bucket }),
        gateway,
        mailbox,
        ...(await lastPushes(ports, app.id, { device, heldPushes })),
      };
      return jsonAnswer(200, {
        ...told,
        ...(registrationTakenFrom ? { registrationTakenFrom } : {}),
        ...(registrationLostTo ? { registrationLostTo } : {}),
      });
    },
    DEAR,
  ),
];
