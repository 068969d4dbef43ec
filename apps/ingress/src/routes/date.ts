import { DEFAULT_APP_SETTINGS } from '@pushfleet/domain';
import { anybody, jsonAnswer, type Answer, type Endpoint } from '@pushfleet/http-edge';
import { type CountByAddress } from '../http/address-limit';
import { type ApiEndpoint } from '../http/api-call';
import { openCallerAddress } from '../http/caller-address';

export const DATE_PATH = '/1.1/date';

interface DatePorts {
  readonly now: () => number;
  readonly countByAddress: CountByAddress;
  /** Trusted proxies in front. */
  readonly proxyHops: number;
}

const NO_APP = { id: '', limits: DEFAULT_APP_SETTINGS.limits };

const dateAnswer = (now: number): Answer => jsonAnswer(200, { __type: 'Date', iso: new Date(now).toISOString() });

/** The Python SDK asks without any header, before it signs its first request: open to everybody, within a limit. */
export function openDateEndpoint({ now, countByAddress, proxyHops }: DatePorts): Endpoint<undefined> {
  const callerAddress = openCallerAddress(proxyHops);
  return {
    route: 'date',
    admit: anybody,
    async handle({ req }) {
      const address = callerAddress(req);
      if (address !== undefined) countByAddress(NO_APP, { limit: 'queriesPerSecond', address });
      return dateAnswer(now());
    },
  };
}

/** The same as an element of a batch. */
export const dateEndpoint = ({ now }: Pick<DatePorts, 'now'>): ApiEndpoint => ({
  route: 'date',
  handle: async () => dateAnswer(now()),
});
