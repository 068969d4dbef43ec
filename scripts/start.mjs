import { nodeProblem } from './launch/node-version.mjs';

// The rest is loaded after this check: an old Node could not even parse it.
const problem = nodeProblem(process.versions.node);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
const { main } = await import('./launch/main.mjs');
process.exit(await main(process.argv.slice(2), process.env));
