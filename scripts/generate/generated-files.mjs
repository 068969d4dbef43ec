import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inRoot } from '../launch/paths.mjs';

const require = createRequire(import.meta.url);

/** What a file holds now; nothing where it is missing. */
export const currentText = (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8') : '');

/** Everything that is written from the built code: by the name of its writer, a function that gives `{ path, text }` of each file. */
export const GENERATED = {
  configuration() {
    const { configurationPage } = require('../configuration-page.cjs');
    return [{ path: 'docs/configuration.md', text: configurationPage(configuredApps()) }];
  },

  dashboards() {
    const { dashboardFiles, textOf } = require('@pushfleet/dashboards');
    return dashboardFiles().map((one) => ({ path: `infra/grafana/dashboards/${one.file}`, text: textOf(one) }));
  },

  fleet() {
    const { fleetFiles } = require('../fleet/fleet-files.cjs');
    return fleetFiles({ channels: Object.values(registry().channels), own: ownChannel() }, currentText);
  },

  guide() {
    const { channelGuide } = require('../channel-guide/channel-guide.cjs');
    const { STEPS: steps } = require('../new-channel/steps.cjs');
    const { DISCARD_POLICY: reasons } = require('@pushfleet/domain');
    const path = 'docs/add-a-channel.md';
    return [{ path, text: channelGuide(currentText(path), { steps, reasons }) }];
  },

  kubernetes() {
    const { manifestFiles } = require('../kubernetes/manifests.cjs');
    const files = manifestFiles({ apps: configuredApps(), vendors: registry().channelNames, own: ownChannel() });
    return files.map(({ path, text }) => ({ path: `infra/kubernetes/${path}`, text }));
  },

  limits() {
    const { limitsPage } = require('../limits-page.cjs');
    return [{ path: 'docs/limits.md', text: limitsPage(require('@pushfleet/domain').LIMIT_AREAS) }];
  },

  async metrics() {
    const { metricsPage } = require('../metrics-page.cjs');
    const { onlyFunction, registeredMetrics } = require('../registered-metrics.cjs');
    const { openMetrics } = require('@pushfleet/service-kit');
    const described = appsWith('metrics').map(async (app) => {
      const file = builtFile(app, 'metrics');
      return {
        app,
        metrics: await registeredMetrics(app, { openMetrics, register: onlyFunction(require(file), file) }),
      };
    });
    return [{ path: 'docs/metrics.md', text: metricsPage(await Promise.all(described)) }];
  },

  reasons() {
    const { reasonsPage } = require('../reasons-page.cjs');
    const { ADVICE_TEXTS, DESCRIBED_REASONS } = require('@pushfleet/domain');
    return [{ path: 'docs/reasons.md', text: reasonsPage(DESCRIBED_REASONS, ADVICE_TEXTS) }];
  },

  'redis-user'() {
    const { withRedisUser } = require('../redis-user-page.cjs');
    const { CLUSTER_COMMANDS: ofCluster, FLEET_COMMANDS: needed, SPARE_COMMANDS: spare } = require('@pushfleet/store');
    const path = 'docs/operate.md';
    return [{ path, text: withRedisUser(currentText(path), { needed, ofCluster, spare }) }];
  },

  vendors() {
    const { vendorsPart, withPart } = require('../vendors-page.cjs');
    const { FAULT_POLICY: faults } = require('@pushfleet/channel-kit');
    const { DISCARD_POLICY: discards } = require('@pushfleet/domain');
    const vendors = Object.values(registry().channels).map((channel) => ({
      channel,
      tables: require(inRoot('packages/channels/dist', channel.name, 'codes.js')),
    }));
    const path = 'docs/vendors.md';
    return [{ path, text: withPart(currentText(path), vendorsPart(vendors, { faults, discards })) }];
  },
};

const registry = () => require('@pushfleet/channels');
const ownChannel = () => require('@pushfleet/domain').OWN_CHANNEL;

const appsWith = (file) =>
  readdirSync(inRoot('apps'))
    .sort()
    .filter((app) => existsSync(inRoot('apps', app, 'src', `${file}.ts`)));

const builtFile = (app, file) => inRoot('apps', app, 'dist', `${file}.js`);

function configuredApps() {
  const { describeConfig } = require('@pushfleet/service-kit');
  return appsWith('config').map((app) => {
    const { configSchema } = require(builtFile(app, 'config'));
    return { app, variables: describeConfig(configSchema) };
  });
}
