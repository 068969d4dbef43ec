import { resolve } from 'node:path';
import { build, buildPages, installDependencies } from '../launch/prepare.mjs';
import { report } from '../launch/problem.mjs';
import { step } from '../launch/progress.mjs';
import { underLifeline } from '../launch/under-lifeline.mjs';
import { builtFiles, imageFiles } from './contents.mjs';
import { HELP, parseOptions } from './options.mjs';
import { planRelease } from './plan.mjs';
import { openTree } from './tree.mjs';
import { writeArchives, writeChanges } from './write.mjs';

/** `npm run release`, from the arguments to the exit code. */
export async function main(args, env) {
  try {
    const options = parseOptions(args, env);
    if (options) return await underLifeline((lifeline) => release(options, lifeline));
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    return report(error);
  }
}

async function release({ version: asked, isDry, out: folder }, lifeline) {
  const tree = await openTree(lifeline);
  const { version, seconds } = await planRelease(tree, { version: asked, isDry });
  await installDependencies(lifeline, { withTests: false });
  // What is compiled is the same; a rehearsal leaves types to `npm run check`.
  await build(lifeline, { checksTypes: !isDry });
  await buildPages(lifeline);
  // What it takes from others is installed only now, in a fresh clone.
  const { archiveOf } = await import('./tar.mjs');

  const out = resolve(folder);
  const [built, image] = [`pushfleet-${version}`, `pushfleet-image-${version}`];
  await step(`Writing ${built}.tar.gz, ${image}.tar.gz and SHA256SUMS`, async () =>
    writeArchives(out, [
      { name: `${built}.tar.gz`, data: archiveOf(builtFiles(tree, built), seconds) },
      { name: `${image}.tar.gz`, data: archiveOf(imageFiles(tree), seconds) },
    ]),
  );
  if (!isDry) writeChanges(tree.changes);
  process.stdout.write(isDry ? `${out}\n` : nextSteps({ version, out, image }));
  return 0;
}

const nextSteps = ({ version, out, image }) => `${out}

Next, when \`npm test\` passes:

  git commit -a -m "chore(release): make ${version}"
  git tag -a v${version} -m "pushfleet ${version}"
  git push origin HEAD v${version}
  for app in ingress dispatcher channel-worker gateway console user-info fleet cli simulator; do
    docker buildx build -f infra/docker/Dockerfile --build-arg APP=$app -t pushfleet-$app:${version} --load - < '${out}/${image}.tar.gz'
  done
`;
