import { unique } from '@pushfleet/testing';
import { refused, type Action, type Hands } from './hands';

const USER = '/users/{userId}';

interface StoredUser {
  readonly name: string;
  readonly blocked_clients: readonly string[];
}

const stored = ({ fleet }: Hands, userId: string): Promise<StoredUser> => fleet.admin('GET', `/users/${userId}`);

const tokensOf = async ({ fleet }: Hands, userId: string): Promise<readonly string[]> => {
  const { results } = await fleet.admin<{ results: { client_id: string }[] }>('GET', `/users/${userId}/tokens`);
  return results.map((token) => token.client_id);
};

/** A user of their own, on whose page one is. */
async function userPage(hands: Hands, prepare: (userId: string) => Promise<unknown>): Promise<string> {
  const userId = unique('user');
  await hands.fleet.admin('PUT', `/users/${userId}`, { name: `called ${userId}` });
  await prepare(userId);
  await hands.visit(`/users/${userId}`, new RegExp(`called ${userId}`));
  return userId;
}

/** Opens the form, has a client refused that nobody has, and types one that there is. */
async function typeClient(hands: Hands, label: 'issueToken' | 'block') {
  const dialog = await hands.open(label);
  await hands.type('clientId', 'no-such-client', dialog);
  await hands.button(label, dialog).click();
  await hands.told(/no-such-client/, dialog);
  await hands.type('clientId', 'game', dialog);
  return dialog;
}

interface Creation {
  readonly open: 'newUser' | 'newClient';
  readonly id: 'userId' | 'clientId';
  /** An id that somebody has. */
  readonly taken: string;
  readonly free: string;
  readonly name: string;
}

/** Creates what is not there yet, and is refused first because it is: nothing that was typed is lost by that. */
async function create(hands: Hands, { open, id, taken, free, name }: Creation): Promise<void> {
  await hands.visit('/users', /^Ann$/);
  const dialog = await hands.open(open);
  await hands.type('calledName', name, dialog);
  await hands.refuses('save', [id, taken], dialog);
  expect(await hands.field('calledName', dialog).inputValue()).toBe(name);
  await hands.type(id, free, dialog);
  await hands.finish('save', dialog);
}

export const USER_ACTIONS: readonly Action[] = [
  {
    ...{ name: 'creates a user of the user-info service, unless the id is taken', who: 'operator' },
    calls: [`PUT ${USER}`],
    act: async (hands) => {
      const userId = unique('new');
      await create(hands, {
        ...{ open: 'newUser', id: 'userId', taken: 'ann' },
        ...{ free: userId, name: 'Another Ann' },
      });
      await hands.page.getByRole('link', { name: userId, exact: true }).waitFor();
      expect([await stored(hands, userId), await stored(hands, 'ann')]).toMatchObject([
        { name: 'Another Ann' },
        { name: 'Ann' },
      ]);
    },
  },
  {
    ...{ name: 'lets a client in, unless the id is taken, and takes it out again', who: 'operator' },
    calls: ['PUT /clients/{clientId}', 'DELETE /clients/{clientId}'],
    act: async (hands) => {
      const clientId = unique('client');
      const row = hands.page.getByRole('row').filter({ hasText: clientId });
      await create(hands, {
        ...{ open: 'newClient', id: 'clientId', taken: 'game' },
        ...{ free: clientId, name: 'Another game' },
      });
      await row.waitFor();
      expect(await hands.fleet.admin('GET', `/clients/${clientId}`)).toMatchObject({ name: 'Another game' });
      const last = await hands.open('remove', row);
      expect(await hands.button('remove', last).isDisabled()).toBe(true);
      await hands.type({ verbatim: clientId }, clientId, last);
      await hands.finish('remove', last);
      await row.waitFor({ state: 'detached' });
      await refused(() => hands.fleet.admin('GET', `/clients/${clientId}`), 404);
    },
  },
  {
    ...{ name: 'issues a token to a client, which is shown once, and revokes it', who: 'operator' },
    calls: [`POST ${USER}/tokens/{clientId}`, `DELETE ${USER}/tokens/{clientId}`],
    act: async (hands) => {
      const userId = await userPage(hands, () => Promise.resolve());
      const dialog = await typeClient(hands, 'issueToken');
      await hands.send(hands.button('issueToken', dialog), dialog);
      await dialog.getByText(hands.word('tokenOnce')).waitFor();
      expect(await tokensOf(hands, userId)).toEqual(['game']);
      await hands.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      const row = hands.page.getByRole('row').filter({ hasText: 'game' });
      await hands.confirm('revoke', row);
      await row.waitFor({ state: 'detached' });
      expect(await tokensOf(hands, userId)).toEqual([]);
    },
  },
  {
    ...{ name: 'keeps a client from reading a user, and lets it read again', who: 'operator' },
    calls: [`PUT ${USER}/blocks/{clientId}`, `DELETE ${USER}/blocks/{clientId}`],
    act: async (hands) => {
      const userId = await userPage(hands, () => Promise.resolve());
      const dialog = await typeClient(hands, 'block');
      await hands.finish('block', dialog);
      const row = hands.page.getByRole('row').filter({ hasText: 'game' });
      await row.waitFor();
      expect(await stored(hands, userId)).toMatchObject({ blocked_clients: ['game'] });
      await hands.confirm('unblock', row);
      await row.waitFor({ state: 'detached' });
      expect(await stored(hands, userId)).toMatchObject({ blocked_clients: [] });
    },
  },
  {
    ...{ name: 'ends every token of a user, and deletes the user', who: 'operator' },
    calls: [`POST ${USER}/security-change`, `DELETE ${USER}`],
    act: async (hands) => {
      const userId = await userPage(hands, (id) => hands.fleet.admin('POST', `/users/${id}/tokens/game`, {}));
      const row = hands.page.getByRole('row').filter({ hasText: 'game' });
      await row.waitFor();
      await hands.confirm('securityChange');
      await hands.page.getByText(hands.word('securityChanged'), { exact: true }).waitFor();
      await row.waitFor({ state: 'detached' });
      expect(await tokensOf(hands, userId)).toEqual([]);
      const dialog = await hands.open('deleteUser');
      await hands.type({ verbatim: userId }, userId, dialog);
      await hands.finish('deleteUser', dialog);
      await hands.page.getByRole('heading', { level: 1, name: hands.word('users'), exact: true }).waitFor();
      await hands.page.getByText(/^Ann$/).waitFor();
      expect(await hands.page.getByText(userId).count()).toBe(0);
      await refused(() => stored(hands, userId), 404);
    },
  },
];
