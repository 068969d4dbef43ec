const METRICS_PORT = 9100;
/** From the end of a pod's traffic being announced to its being true everywhere. */
const UNROUTE_SECONDS = 5;

const labelsOf = ({ app, channel }) => ({
  'app.kubernetes.io/name': app,
  ...(channel ? { 'app.kubernetes.io/instance': channel } : {}),
});

const metadata = (workload) => ({ name: workload.name, labels: labelsOf(workload) });

function deployment(workload) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(workload),
    spec: {
      revisionHistoryLimit: 5,
      selector: { matchLabels: labelsOf(workload) },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels: labelsOf(workload) }, spec: podOf(workload) },
    },
  };
}

const podOf = (workload) => ({
  serviceAccountName: 'pushfleet',
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: workload.graceSeconds,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: labelsOf(workload) },
    },
  ],
  containers: [containerOf(workload)],
});

const containerOf = ({ app, port, values, secrets, cpu, memory: [request, limit] }) => ({
  name: app,
  image: `pushfleet-${app}`,
  envFrom: [{ configMapRef: { name: 'pushfleet-settings', optional: true } }],
  env: [
    ...Object.entries(values).map(([name, value]) => ({ name, value })),
    ...secrets.map(({ name, isOptional }) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'pushfleet-secrets', key: name, ...(isOptional ? { optional: true } : {}) } },
    })),
  ],
  ports: [...(port ? [{ name: 'http', containerPort: port }] : []), { name: 'metrics', containerPort: METRICS_PORT }],
  startupProbe: probe('/healthz', { periodSeconds: 2, failureThreshold: 30 }),
  livenessProbe: probe('/healthz', { periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 3 }),
  readinessProbe: probe('/readyz', { periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 2 }),
  ...(port ? { lifecycle: { preStop: { exec: { command: ['sleep', String(UNROUTE_SECONDS)] } } } } : {}),
  resources: { requests: { cpu, memory: request }, limits: { memory: limit } },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
});

const probe = (path, timing) => ({ httpGet: { path, port: 'metrics' }, ...timing });

const disruptionBudget = (workload) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: metadata(workload),
  spec: { maxUnavailable: 1, selector: { matchLabels: labelsOf(workload) } },
});

const service = (workload) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(workload),
  spec: {
    selector: labelsOf(workload),
    ports: [{ name: 'http', port: workload.port, targetPort: 'http' }],
  },
});

const serviceAccount = () => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'pushfleet' },
  automountServiceAccountToken: false,
});

module.exports = { deployment, disruptionBudget, labelsOf, METRICS_PORT, service, serviceAccount };
