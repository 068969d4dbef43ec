import { createServer } from 'node:http';

/** Takes traces and forgets them. */
const server = createServer((req, res) => {
  req.resume().on('end', () => res.setHeader('content-type', 'application/json').end('{}'));
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ ready: true, urls: { echo: `http://127.0.0.1:${port}` } });
});
process.on('disconnect', () => process.exit(0));
