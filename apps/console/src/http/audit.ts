import { isDeepStrictEqual } from 'node:util';
import { writeJson, type Json, type JsonObject } from '@pushfleet/domain';
import type { HttpRequest } from '@pushfleet/http-edge';
import { addressOf } from '@pushfleet/service-kit';
import type { AuditChanges } from '@pushfleet/store';
import type { ConsolePorts } from '../ports';

/** What one call did, when it is known that it succeeded. */
export interface Act {
  /** Whose right it was. */
  readonly by: string;
  readonly action: string;
  readonly target: string;
  readonly changes?: AuditChanges | undefined;
}

export type Audit = (req: HttpRequest, act: Act) => Promise<void>;

type Ports = Pick<ConsolePorts, 'proxyHops' | 'now' | 'log'> & {
  readonly store: Pick<ConsolePorts['store'], 'auditLog'>;
};

/** A text or list that is longer is told by its length. */
const MAX_VALUE_BYTES = 500;

/** The line of the log comes first: it stays where Redis cannot take the entry. */
export function openAudit({ store, proxyHops, now, log }: Ports): Audit {
  return async (req, { by, action, target, changes }) => {
    const entry = { at: now(), by, from: addressOf(req, proxyHops), action, target, ...(changes && { changes }) };
    log.info({ audit: entry }, 'an operator changed something');
    await store.auditLog.add(entry);
  };
}

/** The fields in which two views differ; a view shows nothing secret. */
export function changesOf(before: object, after: object): AuditChanges | undefined {
  const [old, young] = [before as JsonObject, after as JsonObject];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(young)])];
  const changed = fields.filter((field) => !isDeepStrictEqual(old[field], young[field]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, [brief(old[field]), brief(young[field])] as const]));
}

function brief(value: Json | undefined): Json {
  if (value === undefined) return null;
  const bytes = Buffer.byteLength(writeJson(value));
  return bytes <= MAX_VALUE_BYTES ? value : `(${bytes} bytes)`;
}
