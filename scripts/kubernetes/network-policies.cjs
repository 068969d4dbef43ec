const { labelsOf, METRICS_PORT } = require('./deployment.cjs');

const PRIVATE_NETWORKS = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];

/** Where NodeLocal DNSCache listens on every node: no pod of the network, so that only its address can be named. */
const NODE_LOCAL_DNS = '169.254.20.10/32';

const policy = (name, spec) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec,
});

const PART_OF = { matchLabels: { 'app.kubernetes.io/part-of': 'pushfleet' } };
const tcp = (port) => ({ protocol: 'TCP', port });
const namespace = (name) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });

/** Nothing may talk but what is named here; probes of the node are not held up by policies. */
function networkPolicies(workloads) {
  const callers = workloads.filter(({ callsVendors }) => callsVendors);
  return [
    policy('default-deny', { podSelector: PART_OF, policyTypes: ['Ingress', 'Egress'] }),
    policy('to-dns', {
      podSelector: PART_OF,
      policyTypes: ['Egress'],
      egress: [
        {
          to: [
            { namespaceSelector: namespace('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
            { ipBlock: { cidr: NODE_LOCAL_DNS } },
          ],
          ports: [{ protocol: 'UDP', port: 53 }, tcp(53)],
        },
      ],
    }),
    // A Redis outside of the namespace is added by an overlay.
    policy('to-redis', {
      podSelector: PART_OF,
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'redis' } } }], ports: [tcp(6379)] }],
    }),
    policy('metrics', {
      podSelector: PART_OF,
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: namespace('monitoring') }], ports: [tcp(METRICS_PORT)] }],
    }),
    policy('to-tracing', {
      podSelector: PART_OF,
      policyTypes: ['Egress'],
      egress: [{ to: [{ namespaceSelector: namespace('monitoring') }], ports: [tcp(4318)] }],
    }),
    ...workloads.filter(({ isPublic }) => isPublic).map(publicDoor),
    policy('to-vendors', {
      podSelector: oneOf([...new Set(callers.map(({ app }) => app))]),
      policyTypes: ['Egress'],
      egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: PRIVATE_NETWORKS } }], ports: [tcp(443)] }],
    }),
    ...workloads.filter(({ callsIngress }) => callsIngress).map((caller) => fromTo(caller, workloads)),
  ];
}

const publicDoor = (workload) =>
  policy(`to-${workload.name}`, {
    podSelector: { matchLabels: labelsOf(workload) },
    policyTypes: ['Ingress'],
    ingress: [{ ports: [tcp(workload.port)] }],
  });

/** The door of the ingress is open to everybody already; the other end is not. */
const fromTo = (caller, workloads) => {
  const ingress = workloads.find(({ name }) => name === 'ingress');
  return policy(`${caller.name}-to-${ingress.name}`, {
    podSelector: { matchLabels: labelsOf(caller) },
    policyTypes: ['Egress'],
    egress: [{ to: [{ podSelector: { matchLabels: labelsOf(ingress) } }], ports: [tcp(ingress.port)] }],
  });
};

/** The own channel's worker is of the same app as the vendors' workers and calls nobody. */
const oneOf = (apps) => ({
  matchExpressions: [
    { key: 'app.kubernetes.io/name', operator: 'In', values: apps },
    { key: 'app.kubernetes.io/instance', operator: 'NotIn', values: ['own'] },
  ],
});

module.exports = { networkPolicies };
