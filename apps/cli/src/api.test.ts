import { openApi } from './api';
import { UsageError } from './errors';

const api = openApi({ url: 'http://127.0.0.1:1', token: 'token' });

it.each(['.', '..', ''])('asks for no path with %j in it', async (segment) => {
  const asked = api.request('DELETE', ['apps', 'a', 'indexes', segment]);
  await expect(asked).rejects.toThrow(UsageError);
  await expect(asked).rejects.toThrow(`${JSON.stringify(segment)} is no name and no id, in apps/a/indexes/${segment}`);
});
