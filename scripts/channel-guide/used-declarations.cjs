const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');
const { openDeclarations } = require('./declarations.cjs');
const { mentions } = require('./printed.cjs');

const ROOT = join(__dirname, '../..');
const PACKAGES = {
  '@pushfleet/channel-kit': join(ROOT, 'packages/channel-kit/src/index.ts'),
  '@pushfleet/channel-kit/testing': join(ROOT, 'packages/channel-kit/src/testing/index.ts'),
  '@pushfleet/domain': join(ROOT, 'packages/domain/src/index.ts'),
};

/** Where somebody writes against these packages: the folders of channels, and what a new folder begins with. */
const USERS = [join(ROOT, 'packages/channels/src'), join(ROOT, 'scripts/new-channel/template')];

/** What a folder is given and never looks into, and tables that the guide has in words. */
const LEFT_OUT = new Set(['App', 'VendorChannel', 'DISCARD_POLICY', 'FAILURE_POLICY']);

const isUser = (path) => /\.ts(\.tpl)?$/.test(path) && !(path.includes('channels/src') && path.endsWith('.test.ts'));

const usersIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath !== USERS[0])
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isUser);

/** Every declaration of our packages that the folders of channels use, and every one that those mention. */
function usedDeclarations() {
  const { find, importedBy } = openDeclarations(PACKAGES);
  const used = new Map();
  const add = ({ name, file, node }) => {
    const key = `${file} ${name}`;
    if (used.has(key) || LEFT_OUT.has(name)) return;
    used.set(key, { name, node, file: relative(join(ROOT, 'packages'), file) });
    for (const mentioned of mentions(node).map((one) => find(one, file))) if (mentioned) add(mentioned);
  };
  for (const file of USERS.flatMap(usersIn)) importedBy(file).forEach(add);
  return [...used.values()];
}

module.exports = { usedDeclarations };
