import express from 'express';

/** What a bare Express service costs: reading a JSON body and writing it back, or writing a fixed one. */
const app = express();
app.use(express.json());
app.post('/echo', (req, res) => {
  res.json(req.body);
});
const profile = { user_id: 'u-1', name: 'Name', avatar: 'https://example.com/a.png', gender: 0, is_guest: false };
app.get('/api/v1/user/info', (_req, res) => {
  res.json({ success: true, data: profile, now: 1_700_000_000, ...profile });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ ready: true, urls: { echo: `http://127.0.0.1:${port}` } });
});
process.on('disconnect', () => process.exit(0));
