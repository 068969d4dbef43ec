const { stringify } = require('yaml');
const { deployment, disruptionBudget, service, serviceAccount } = require('./deployment.cjs');
const { networkPolicies } = require('./network-policies.cjs');
const { scaledObject } = require('./scaled-object.cjs');
const { workloadsOf } = require('./workloads.cjs');

const HEAD = '# Written by `node scripts/write-kubernetes.mjs`; change it there, or in an overlay.\n';

const textOf = (documents) =>
  HEAD + documents.map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');

/** Every generated file of infra/kubernetes, as `{path, text}`. The fleet is described as for `workloadsOf`. */
function manifestFiles(fleet) {
  const workloads = workloadsOf(fleet);
  const objects = new Map([
    ['service-account', [serviceAccount()]],
    ['network-policies', networkPolicies(workloads)],
    ...workloads.map((workload) => [
      workload.name,
      [deployment(workload), disruptionBudget(workload), ...(workload.port ? [service(workload)] : [])],
    ]),
  ]);
  const scaled = workloads.filter(({ app }) => app === 'channel-worker' || app === 'dispatcher');
  return [
    { path: 'base/kustomization.yaml', text: textOf([kustomization([...objects.keys()])]) },
    ...[...objects].map(([name, documents]) => ({ path: `base/${name}.yaml`, text: textOf(documents) })),
    { path: 'autoscaling/kustomization.yaml', text: textOf([component(scaled)]) },
    ...scaled.map((workload) => ({
      path: `autoscaling/${workload.name}.yaml`,
      text: textOf([scaledObject(workload)]),
    })),
  ];
}

const PART_OF = { pairs: { 'app.kubernetes.io/part-of': 'pushfleet' }, includeTemplates: true };

const kustomization = (names) => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  labels: [PART_OF],
  resources: names.map((name) => `${name}.yaml`),
});

const component = (workloads) => ({
  apiVersion: 'kustomize.config.k8s.io/v1alpha1',
  kind: 'Component',
  resources: workloads.map(({ name }) => `${name}.yaml`),
});

module.exports = { manifestFiles };
