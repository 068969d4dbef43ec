import { Problem } from '../launch/problem.mjs';
import { say } from '../launch/progress.mjs';
import { findOtherVersions } from '../check/versions.mjs';
import { partFor, released } from './changelog.mjs';
import { isGreater, lockWithVersion, TAGGED, withTags, withVersion } from './versions.mjs';

const CHANGELOG = 'CHANGELOG.md';
const MANIFEST = /^(?:(?:apps|packages)\/[^/]+\/)?package\.json$/;

/** Which version is made and what time its files tell, with the changes of a new one in the tree; or why there is none. */
export async function planRelease(tree, { version: asked, isDry }) {
  const present = JSON.parse(tree.read('package.json')).version;
  const version = asked ?? present;
  const changelog = tree.read(CHANGELOG);
  const part = partFor(changelog, version);
  refuseUneven();
  if (asked) await refuseTaken({ tree, asked, present, part });
  refuseUntold(part, version);
  await lookForChanges(tree, isDry);

  const today = new Date().toISOString().slice(0, 10);
  const date = asked ? today : part.date;
  if (asked) changeVersion(tree, asked, released(changelog, part, { version, date }));
  else if (!date)
    say(`Not a release: the CHANGELOG has an unreleased part. The archives are of commit ${await tree.commit()}.`);
  // A dated version tells its day, so that the archives made before it is committed are those that its tag gives.
  return { version, seconds: date ? Date.parse(date) / 1000 : await tree.committedAt() };
}

function refuseUneven() {
  const complaints = findOtherVersions();
  if (complaints.length > 0) throw new Problem(complaints.join('\n'));
}

async function refuseTaken({ tree, asked, present, part }) {
  if (await tree.hasTag(`v${asked}`)) throw new Problem(`The tag v${asked} is there already`);
  if (!part || part.date) throw new Problem(`${CHANGELOG} has no part "## Unreleased" that could become ${asked}`);
  const isFirst = asked === present && part.version === asked;
  if (!isFirst && !isGreater(asked, present))
    throw new Problem(`${asked} is not greater than ${present}, the present version`);
}

function refuseUntold(part, version) {
  if (!part) throw new Problem(`${CHANGELOG} has no part for ${version}`);
  if (part.notes !== '') return;
  throw new Problem(
    `${CHANGELOG}, "${part.line}": "### Upgrade notes" is missing or empty; where nothing is to be done, say so`,
  );
}

async function lookForChanges(tree, isDry) {
  const differing = await tree.differing();
  if (differing.length === 0) return;
  const what = `The tree differs from its commit: ${differing.map((line) => line.slice(3)).join(', ')}`;
  if (!isDry) throw new Problem(`${what}. Commit or stash it`);
  say(`${what}. The archives are of no commit.`);
}

function changeVersion(tree, version, changelog) {
  const change = (path, changed) => tree.changes.set(path, changed(tree.read(path), version));
  for (const { path } of tree.files) if (MANIFEST.test(path)) change(path, withVersion);
  for (const path of TAGGED) change(path, withTags);
  change('package-lock.json', lockWithVersion);
  tree.changes.set(CHANGELOG, changelog);
}
