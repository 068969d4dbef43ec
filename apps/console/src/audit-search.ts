import type { AuditEntry } from '@pushfleet/store';
import { z } from 'zod';
import { cursorLike } from './http/page-range';

const word = z.string().trim().min(1).max(128).optional();
const moment = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => Date.parse(text))
  .optional();

/** What the audit log is searched by, in a query. */
export const auditFields = {
  by: word,
  action: word,
  app: word,
  from: moment,
  to: moment,
  cursor: cursorLike(/^\d{1,16}-\d{1,10}$/),
};

type Wish = Omit<z.output<z.ZodObject<typeof auditFields>>, 'cursor'>;

/** Undefined where all are asked for. */
export function wantedEntries(wish: Wish): ((entry: AuditEntry) => boolean) | undefined {
  if (Object.values(wish).every((value) => value === undefined)) return undefined;
  const { by, action, app, from = -Infinity, to = Infinity } = wish;
  return (entry) =>
    (by === undefined || entry.by.toLowerCase().includes(by.toLowerCase())) &&
    (action === undefined || entry.action.toLowerCase().includes(action.toLowerCase())) &&
    (app === undefined || isAbout(entry, app)) &&
    entry.at >= from &&
    entry.at < to;
}

/** What the address names, or a change of a channel that was made for one app. */
const isAbout = ({ target, changes }: AuditEntry, app: string): boolean =>
  target.split('/').slice(1, 3).join('/') === `apps/${app}` ||
  [changes?.['app'], target === '/apps' ? changes?.['id'] : undefined].some((change) => change?.includes(app) === true);
