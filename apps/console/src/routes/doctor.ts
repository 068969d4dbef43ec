import { jsonAnswer } from '@pushfleet/http-edge';
import type { Doctor } from '../doctor/open-doctor';
import { get, LONG, type AdminRoute } from '../http/admin-route';
import type { ConsolePorts } from '../ports';

export const doctorRoutes = ({ now }: Pick<ConsolePorts, 'now'>, doctor: Doctor): readonly AdminRoute[] => [
  get(
    '/doctor',
    async () => {
      const checks = await doctor.examine();
      const isOk = checks.every(({ status }) => status !== 'problem');
      return jsonAnswer(200, { ok: isOk, at: new Date(now()).toISOString(), checks });
    },
    LONG,
  ),
];
