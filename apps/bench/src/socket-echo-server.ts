import { WebSocketServer } from 'ws';

/** What bare WebSockets cost: every message comes back, and one on the path `/broadcast` goes to everybody. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ ready: true, urls: { echo: `ws://127.0.0.1:${port}` } });
});
server.on('connection', (socket, { url }) => {
  socket.on('message', (data, isBinary) => {
    if (url !== '/broadcast') return socket.send(data, { binary: isBinary });
    for (const client of server.clients) if (client !== socket) client.send(data, { binary: isBinary });
  });
});
process.on('disconnect', () => process.exit(0));
