const LEAST = [20, 19];

/** What is wrong with this Node, in words; undefined when it will do. */
export function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  const isEnough = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
  return isEnough ? undefined : `pushfleet needs Node ${LEAST.join('.')} or later; this is ${version}.`;
}
