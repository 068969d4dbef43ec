import express from 'express';

/** What an Express service costs that only reads a JSON body and writes one: the baseline of the ingress. */
const app = express();
app.use(express.json());
app.post('/echo', (req, res) => {
  res.json(req.body);
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ ready: true, urls: { echo: `http://127.0.0.1:${port}` } });
});
process.on('disconnect', () => process.exit(0));
