/** Fields of a schema that are the platform's business, the same in every cluster. */
const FIXED = { BIND_ADDRESS: '0.0.0.0', METRICS_PORT: '9100' };

/** What a process needs and how long it may take to leave; everything else follows from its schema. */
const APPS = {
  ingress: { port: 8080, isPublic: true, cpu: '500m', memory: ['256Mi', '512Mi'] },
  'user-info': { port: 8081, isPublic: true, cpu: '250m', memory: ['192Mi', '384Mi'] },
  // Its drain is DRAIN_MS; then come the goodbye to the devices and the cut-off.
  gateway: { port: 8082, isPublic: true, cpu: '500m', memory: ['512Mi', '1Gi'], graceSeconds: 660 },
  console: { port: 8083, callsVendors: true, callsIngress: true, cpu: '50m', memory: ['192Mi', '384Mi'] },
  dispatcher: { cpu: '250m', memory: ['256Mi', '512Mi'] },
};
const WORKER = { cpu: '500m', memory: ['256Mi', '512Mi'] };

/** A service drains for up to 30 s by itself, which outlasts any vendor call; before that its port is taken out of use. */
const GRACE_SECONDS = 45;

/**
 * One entry per Deployment. `apps` is a list of `{app, variables}`, as `describeConfig` gives them; `vendors` are the channels of
 * the registry, `own` is the channel beside them.
 */
function workloadsOf({ apps, vendors, own }) {
  const variablesOf = (app) => apps.find((entry) => entry.app === app).variables;
  const services = Object.entries(APPS).map(([app, traits]) => ({ name: app, app, ...traits }));
  const workers = [...vendors, own].map((channel) => {
    return { name: `worker-${channel}`, app: 'channel-worker', channel, callsVendors: channel !== own, ...WORKER };
  });
  return [...services, ...workers].map((workload) => ({
    graceSeconds: GRACE_SECONDS,
    ...workload,
    ...environmentOf(workload, variablesOf(workload.app)),
  }));
}

function environmentOf({ app, port, channel, callsIngress }, variables) {
  const ingress = callsIngress ? { INGRESS_URL: `http://ingress:${APPS.ingress.port}` } : {};
  const values = { ...FIXED, ...(channel ? { CHANNEL: channel } : {}), ...portOf(app, port), ...ingress };
  const secrets = variables.filter(({ secret }) => secret);
  return {
    values,
    secrets: secrets.map(({ name, required }) => ({ name, isOptional: !required })),
  };
}

const portOf = (app, port) => (port ? { [`${app.replace('-', '_').toUpperCase()}_PORT`]: String(port) } : {});

module.exports = { workloadsOf };
