/** As `engines` of the repository and of a release say it. */
const LEAST: readonly [major: number, minor: number] = [20, 19];

/** What is wrong with this Node, in words; undefined when it will do. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return undefined;
  return `pushfleet needs Node ${LEAST.join('.')} or later; this is ${version}.`;
}

/** Called first: an older Node fails in the middle of a start, at whatever it lacks, in words that name no Node. */
export function leaveOldNode(version = process.versions.node): void {
  const problem = nodeProblem(version);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
