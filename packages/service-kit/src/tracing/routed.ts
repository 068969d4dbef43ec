import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** What a router found for a request: a row of its table. */
export interface Routed {
  readonly request: IncomingMessage;
  /** As the table has it, with names for parameters. */
  readonly path: string;
}

/** Routers tell it here, since an address alone does not say which of its parts are ids or keys. */
export const ROUTED = diagnostics.channel('pushfleet.http.routed');
