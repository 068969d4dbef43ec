import type { VendorChannel } from '@pushfleet/channel-kit';
import { isProfileName, type JsonObject } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { generateKey, type ProfileRef, type StoredProfile } from '@pushfleet/store';
import { tryCredentials } from '../try-credentials';
import { act, get, put, remove, type AdminRoute, type Taking } from '../http/admin-route';
import { detailsOf, isSchemaError } from '../http/parse';
import { invalidFields, Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { auditable, checkReceiptUrl, maskSecrets, notesOf, readProfile, receiptUrlOf } from '../profile-document';
import { profilesOf } from '../profile-list';
import { requireApp } from '../require-app';

const PROFILE = '/apps/:id/profiles/:channel/:profile';
/** Asks a vendor, and changes no setting. */
const ATTEMPT: Taking = { audited: false };
type ProfileParams = Readonly<Record<'id' | 'channel' | 'profile', string>>;

export function profileRoutes(ports: ConsolePorts): readonly AdminRoute[] {
  const { profiles } = ports.store;
  return [
    get('/profile-fields', () => {
      const known = [...ports.channels.values()];
      const results = known.map(({ name, vendor, names, profileFields }) => ({
        channel: name,
        vendor,
        names,
        fields: profileFields,
      }));
      return Promise.resolve(jsonAnswer(200, { results }));
    }),

    get('/apps/:id/profiles', async ({ params }) => {
      const { id } = await requireApp(ports, params.id);
      const stored = await Promise.all((await profilesOf(ports.store, id)).map((ref) => answerOf(ports, ref)));
      return jsonAnswer(200, { results: stored.filter((answer) => answer !== undefined) });
    }),

    get(PROFILE, async ({ params }) => {
      const { ref } = await addressOf(ports, params);
      return jsonAnswer(200, (await answerOf(ports, ref)) ?? notStored(ref));
    }),

    put(PROFILE, async ({ params, body, changed }) => {
      const { ref, channel } = await addressOf(ports, params);
      const stored = await profiles.get(ref);
      const readOnly = stored ? readOnlyFields(ports, ref, stored) : { channel: ref.channel, profile: ref.profile };
      const value = readProfile({ channel, input: body, readOnly, stored: stored?.value });
      const next = { value, receiptKey: stored?.receiptKey ?? generateKey() };
      checkReceiptUrl(channel, value, receiptUrlOf(ports.ingressUrl, channel, { ...ref, receiptKey: next.receiptKey }));
      await profiles.put(ref, next);
      changed(stored ? maskSecrets(channel, stored.value) : {}, auditable(channel, value, stored?.value));
      return jsonAnswer(200, await view(ports, ref, next));
    }),

    remove(PROFILE, async ({ params }) => {
      const { ref } = await addressOf(ports, params);
      if (!(await profiles.remove(ref))) notStored(ref);
      return jsonAnswer(200, {});
    }),

    act(
      `${PROFILE}/test`,
      async ({ params }) => {
        const { ref, channel } = await addressOf(ports, params);
        const { value } = (await profiles.get(ref)) ?? notStored(ref);
        const answer = await tryCredentials(channel, stillValid(channel, value), ports.vendors);
        await profiles.noteTest(ref, value, answer);
        return jsonAnswer(200, { ...answer });
      },
      ATTEMPT,
    ),
  ];
}

interface Address {
  readonly ref: ProfileRef;
  readonly channel: VendorChannel;
}

async function addressOf(ports: ConsolePorts, params: ProfileParams): Promise<Address> {
  const app = await requireApp(ports, params.id);
  const channel = ports.channels.get(params.channel);
  if (!channel) {
    const known = [...ports.channels.keys()].join(', ');
    throw new Problem('not-found', `there is no channel ${JSON.stringify(params.channel)}; known are: ${known}`);
  }
  if (!isProfileName(params.profile)) {
    const message = 'must be a letter, then at most 63 letters, digits and underscores; or _default';
    throw invalidFields([{ path: 'profile', message }]);
  }
  return { channel, ref: { app: app.id, channel: params.channel, profile: params.profile } };
}

function notStored({ app, channel, profile }: ProfileRef): never {
  throw new Problem('not-found', `the app ${app} has no profile ${profile} for the channel ${channel}`);
}

async function answerOf(ports: ConsolePorts, ref: ProfileRef): Promise<JsonObject | undefined> {
  const stored = await ports.store.profiles.get(ref);
  return stored && (await view(ports, ref, stored));
}

/** A profile of a channel that this version no longer has shows its name only: nobody knows which fields are secret. */
async function view(ports: ConsolePorts, ref: ProfileRef, stored: StoredProfile): Promise<JsonObject> {
  const channel = ports.channels.get(ref.channel);
  const notes = notesOf(await ports.store.profiles.noteOf(ref));
  return { ...readOnlyFields(ports, ref, stored), ...(channel ? maskSecrets(channel, stored.value) : {}), ...notes };
}

function readOnlyFields(ports: ConsolePorts, ref: ProfileRef, { receiptKey }: StoredProfile): JsonObject {
  const { channel, profile } = ref;
  const known = ports.channels.get(channel);
  const receiptUrl = known && receiptUrlOf(ports.ingressUrl, known, { ...ref, receiptKey });
  return { channel, profile, ...(receiptUrl === undefined ? {} : { receiptUrl }) };
}

/** A profile may have been stored by a version with other rules. */
function stillValid(channel: VendorChannel, value: JsonObject): JsonObject {
  try {
    return channel.parseProfile(value);
  } catch (error) {
    if (!isSchemaError(error)) throw error;
    throw new Problem('conflict', 'the stored profile is no longer valid: save it again', detailsOf(error));
  }
}
