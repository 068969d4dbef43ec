import { randomInt } from 'node:crypto';
import { coversRole, LIMITS } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { nameKey, type Person } from '@pushfleet/store';
import { changeAndTell } from '../change-and-tell';
import type { Caller } from '../http/access';
import { get, patch, post, put, remove, type AdminCall, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import { openAttempts } from '../people/attempts';
import { oneAtATime } from '../people/one-at-a-time';
import type { Passwords } from '../people/password';
import { newPersonSchema, passwordChangeSchema, personChangeSchema, subjectParamsSchema } from '../people/person-input';
import type { ConsolePorts } from '../ports';
import { MASK, NEW_SECRET } from '../profile-document';

const MAX_GENERATION = 2 ** 47;

/** Not a count: a person who is created anew has none of the sessions that were there before. */
const newGeneration = (): number => randomInt(MAX_GENERATION);

/** People who sign in to the console. */
export function peopleRoutes(ports: ConsolePorts, passwords: Passwords): readonly AdminRoute[] {
  const { store, now, sessions } = ports;
  const { persons } = store.people;
  const changePassword = openPasswordChange(ports, passwords);
  return [
    get('/people', async () => {
      const { results, ...damaged } = await persons.list();
      const all = [...results].sort((a, b) => (a.name < b.name ? -1 : 1));
      return jsonAnswer(200, { results: all.map(personView), ...damaged });
    }),

    post('/people', async ({ body, changed }) => {
      const { name, password, role, apps } = parse(newPersonSchema, body);
      const passwordHash = await passwords.hash(password);
      const person = { name, role, apps, passwordHash, generation: newGeneration(), createdAt: now() };
      const added = await persons.add(name, person);
      if (added === 'exists') throw new Problem('conflict', `there is a person ${JSON.stringify(name)}`);
      if (added === 'full') throw new Problem('conflict', `there may be at most ${LIMITS.people.value} people`);
      changed({}, personView(person));
      return jsonAnswer(201, personView(person));
    }),

    patch('/people/:name', async (call: AdminCall<'name'>) => {
      const { name } = call.params;
      const { role, apps } = parse(personChangeSchema, call.body);
      const after = await changeAndTell<Person>(call, {
        update: (change) => persons.update(name, change),
        change: (person) => ({ ...person, role: role ?? person.role, apps: apps ?? person.apps }),
        view: personView,
      });
      return jsonAnswer(200, personView(after ?? nobody(name)));
    }),

    put('/people/:name/password', async (call) => {
      requireSelf(call.caller, call.params.name);
      await changePassword(call);
      call.changed({ password: MASK }, { password: NEW_SECRET });
      return jsonAnswer(200, {});
    }),

    remove('/people/:name/sessions', async ({ caller, params }: AdminCall<'name'>) => {
      requireSelf(caller, params.name);
      const change = (person: Person): Person => ({ ...person, generation: newGeneration() });
      if (!(await persons.update(params.name, change))) nobody(params.name);
      return jsonAnswer(200, {});
    }),

    remove('/single-sign-on/:subject/sessions', async ({ caller, params }: AdminCall<'subject'>) => {
      requireOwnerUnless(caller, caller.subject === params.subject);
      parse(subjectParamsSchema, params);
      await store.people.sessions.endAll(params.subject, sessions.lifeMs);
      return jsonAnswer(200, {});
    }),

    remove('/people/:name', async ({ params, changed }) => {
      const removed = (await persons.remove(params.name)) ?? nobody(params.name);
      changed(removed === 'damaged' ? {} : personView(removed), {});
      return jsonAnswer(200, {});
    }),
  ];
}

/**
 * What a person types as the current password is judged as at the door. That takes a while, and so does the new one: what an owner
 * decides about the person meanwhile holds.
 */
function openPasswordChange(ports: ConsolePorts, passwords: Passwords) {
  const { persons } = ports.store.people;
  const attempt = openAttempts(ports);
  const changing = oneAtATime();

  async function judge({ req }: AdminCall, person: Person, current: string): Promise<void> {
    const isRight = async () => (await passwords.isRight(current, person.passwordHash)) || undefined;
    if (await attempt(req, { kind: 'name', name: nameKey(person.name) }, isRight)) return;
    throw new Problem('conflict', 'the current password is not right', [
      { path: 'current', message: 'is not the current password' },
    ]);
  }

  return async (call: AdminCall<'name'>): Promise<void> => {
    const { caller, params, body } = call;
    const { password, current = '' } = parse(passwordChangeSchema, body);
    const person = (await persons.get(params.name)) ?? nobody(params.name);
    const isOwn = isSelf(caller, params.name);
    // Whoever changes the own one over and over keeps no owner from it.
    const passwordHash = await changing(JSON.stringify([caller.by, nameKey(person.name)]), async () => {
      if (isOwn) await judge(call, person, current);
      return passwords.hash(password);
    });
    const change = (before: Person): Person => {
      if (isOwn && before.generation !== person.generation) throw changedMeanwhile();
      return { ...before, passwordHash, generation: newGeneration() };
    };
    if (!(await persons.update(params.name, change))) nobody(params.name);
  };
}

const changedMeanwhile = (): Problem =>
  new Problem('conflict', 'your password was changed, or your sessions were ended, meanwhile: sign in again');

const personView = ({ name, role, apps, createdAt }: Person): object => ({
  name,
  role,
  apps,
  createdAt: new Date(createdAt).toISOString(),
});

function nobody(name: string): never {
  throw new Problem('not-found', `there is no person ${JSON.stringify(name)}`);
}

const isSelf = ({ person }: Caller, name: string): boolean => person !== undefined && nameKey(person) === nameKey(name);

/** Owners of the whole fleet decide about everybody, others about themselves. */
const requireSelf = (caller: Caller, name: string): void => requireOwnerUnless(caller, isSelf(caller, name));

function requireOwnerUnless(caller: Caller, isOwn: boolean): void {
  if (isOwn || (coversRole(caller.role, 'owner') && caller.apps === 'all')) return;
  throw new Problem('forbidden', 'this takes the role owner, of all apps, for anybody but yourself');
}
