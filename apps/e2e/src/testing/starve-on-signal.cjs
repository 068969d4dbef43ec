// `node --require` this: SIGUSR2 keeps the event loop of the process from turning for STARVED_MS.
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.STARVED_MS));
});
