const NUMBER = '(?:0|[1-9]\\d*)';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}$`);

export const isVersion = (text) => VERSION.test(text);

export function isGreater(version, other) {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number));
  const i = numbers.findIndex((number, at) => number !== others[at]);
  return i !== -1 && numbers[i] > others[i];
}

/** The text of a package.json with another version, and nothing else changed. */
export const withVersion = (text, version) => text.replace(/^( {2}"version": ")[^"]*"/m, `$1${version}"`);

/** The lockfile with another version of the root and of all workspaces. */
export function lockWithVersion(text, version) {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') && locked.version !== undefined) locked.version = version;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** Files that name images of this repository, with their tag. */
export const TAGGED = ['docker-compose.yml', 'infra/kubernetes/overlays/production/kustomization.yaml'];

const TAG = /(^ *image: pushfleet-[a-z-]+:|\bnewTag: ')([^'\s]+)/gm;

export const tagsIn = (text) => [...text.matchAll(TAG)].map(([, , tag]) => tag);

export const withTags = (text, version) => text.replaceAll(TAG, (_, begin) => `${begin}${version}`);
