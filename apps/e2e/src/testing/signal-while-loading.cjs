// `node --require` this: the process gets a SIGTERM when it begins to load the first library that is not its own.
const Module = require('node:module');

const load = Module._load;
let isSignalled = false;
Module._load = function loadAndSignal(request, ...rest) {
  const isLibrary = !request.startsWith('.') && !request.startsWith('@pushfleet/') && !Module.isBuiltin(request);
  if (isLibrary && !request.startsWith('/') && !isSignalled) {
    isSignalled = true;
    process.stderr.write('signalled while loading\n');
    process.kill(process.pid, 'SIGTERM');
  }
  return load.call(this, request, ...rest);
};
