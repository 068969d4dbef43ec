import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { until } from '@pushfleet/testing';
import { Fleet } from './fleet';

interface SpanAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly service: string | undefined;
  readonly attributes: readonly SpanAttribute[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SpanAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

const spans: ReceivedSpan[] = [];
const receiver = createServer((req, res) => {
  void json(req).then((body) => {
    for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
      for (const { name, traceId, attributes } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ name, traceId, service, attributes });
    }
    res.setHeader('content-type', 'application/json').end('{}');
  });
});
let fleet: Fleet;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  fleet = await Fleet.start(['mi'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
});

afterAll(async () => {
  await fleet.stop();
  receiver.close().closeAllConnections();
});

async function aDevice(app: Awaited<ReturnType<Fleet['createApp']>>): Promise<void> {
  const device = { deviceType: 'android', vendor: 'mi', registrationId: `reg-${Date.now()}`, channels: ['news'] };
  await fleet.call(app, ['POST', '/installations'], { ...device, installationId: `tracing-${Date.now()}` });
}

/** By service, the names of the spans that share a trace with the push and are not the push itself. */
const tracesOf = (name: string): readonly ReceivedSpan[][] =>
  spans.filter((span) => span.name === name).map(({ traceId }) => spans.filter((span) => span.traceId === traceId));

it('one trace leads from the push to the call of the vendor, through every process between', async () => {
  const app = await fleet.createApp();
  await aDevice(app);
  // What has a condition is planned by the dispatcher.
  const { objectId } = await fleet.push(app, { where: { channels: 'news', vendor: 'mi' }, data: { alert: 'traced' } });
  await fleet.done(app, objectId);
  const vendorCall = `POST ${new URL(fleet.url('simulator')).host}`;
  // Each process exports when its own time has come.
  const trace = await until(() => {
    const found = tracesOf('POST /1.1/push').find((all) => all.some(({ name }) => name === vendorCall)) ?? [];
    const services = new Set(found.map(({ service }) => service));
    expect(services).toEqual(new Set(['pushfleet-ingress', 'pushfleet-dispatcher', 'pushfleet-channel-worker']));
    return found;
  });
  expect(trace.find(({ name }) => name === vendorCall)?.service).toBe('pushfleet-channel-worker');
});

it('no trace has an id of an app or a device, a key, an address or a message, and none is of the look for stalled jobs', async () => {
  const app = await fleet.createApp();
  const device = { installationId: 'a-device', registrationId: 'a-registration', deviceType: 'android', vendor: 'mi' };
  await fleet.call(app, ['POST', '/installations'], { ...device, channels: ['a-subject'] });
  const { objectId } = await fleet.push(app, {
    where: { channels: 'a-subject', vendor: 'mi' },
    data: { alert: 'a-message' },
  });
  await fleet.done(app, objectId);
  await fetch(`${fleet.url('ingress')}/${app.masterKey}/1.1/push?key=${app.key}`);
  await fetch(`${fleet.url('console')}/apps/${app.id}`);
  await fleet.admin('GET', `/apps/${app.id}`);
  // By the id of a push the jobs of its trace are found.
  const wanted = ['"GET /api/v1/apps/:id"', '"GET /1.1/notifications/:id"', '"GET"', `"${objectId}`];
  await until(() => {
    const missing = wanted.filter((text) => !JSON.stringify(spans).includes(text));
    if (missing.length > 0) throw new Error(`no ${missing.join(', ')} in ${spans.map(({ name }) => name).join(', ')}`);
    return true;
  });

  const told = JSON.stringify(spans);
  const hidden = [app.id, app.key, app.masterKey, 'a-device', 'a-registration', 'a-subject', 'a-message'];
  expect(hidden.filter((word) => told.includes(word))).toEqual([]);
  expect(spans.filter(({ name }) => /stalled/i.test(name))).toEqual([]);
});
