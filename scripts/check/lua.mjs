import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const FOLDERS = ['packages/store/lua'];

/** Installed with the machine and not by npm: where it is missing, the scripts of Redis go without it. */
export const luaCheck = () =>
  isOnPath('luacheck') ? [['lua', 'luacheck', ['--config', 'packages/tooling/luacheck.lua', '-q', ...FOLDERS]]] : [];

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
