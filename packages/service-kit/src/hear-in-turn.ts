import { type RequestListener, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/**
 * Hears requests that were sent behind each other one after the other, as they are answered. A few hundred connections with a hundred
 * each would have thousands at work at once, and whoever else asks, a probe too, would wait for all of them.
 */
export function hearInTurn(listener: RequestListener): RequestListener {
  const latest = new WeakMap<Socket, ServerResponse>();
  return (req, res) => {
    const { socket } = req;
    const before = latest.get(socket);
    latest.set(socket, res);
    // An idle connection would keep its last request with all that was sent in it.
    res.once('close', () => {
      if (latest.get(socket) === res) latest.delete(socket);
    });
    if (!before) return listener(req, res);
    before.once('close', () => {
      // Others have their turn in between, also where answers are given at once.
      setImmediate(() => {
        if (!socket.destroyed) listener(req, res);
      });
    });
  };
}
