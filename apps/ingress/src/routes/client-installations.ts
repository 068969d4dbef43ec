import { clientIdRule, InvalidInput, isClientId, LIMITS, type Installation, type PushWarning } from '@pushfleet/domain';
import { jsonAnswer, type Answer } from '@pushfleet/http-edge';
import { type Store } from '@pushfleet/store';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';

export interface BindingPorts {
  readonly bindings: Pick<Store['messaging']['bindings'], 'bind' | 'unbind'>;
  readonly installations: Pick<Store['installations'], 'get' | 'inspect'>;
  readonly now: () => number;
}

export interface BindingEndpoints {
  readonly bind: ApiEndpoint;
  readonly unbind: ApiEndpoint;
}

/** Which installations are those of a client: told by a chat server whose users log in and out. */
export function bindingEndpoints({ bindings, installations, now }: BindingPorts): BindingEndpoints {
  const changed = (client: string, installationId: string, warnings: readonly PushWarning[]): Answer =>
    jsonAnswer(200, {
      updatedAt: new Date(now()).toISOString(),
      objectId: client,
      installationId,
      ...(warnings.length > 0 ? { warnings } : {}),
    });
  return {
    bind: {
      route: 'client-installations',
      async handle(call) {
        const { app, client, given } = asked(call);
        const known = await installationOf(installations, app, given);
        const ids = known ? bindableIdsOf(known) : { installationId: given };
        await bindings.bind(app, { client, ...ids });
        return changed(client, ids.installationId, known ? [] : [UNKNOWN]);
      },
    },
    unbind: {
      route: 'client-installations',
      async handle(call) {
        const { app, client, given } = asked(call);
        const known = await installationOf(installations, app, given);
        const ids = [given, known?.objectId, known?.installationId].filter((id) => typeof id === 'string');
        const [ended] = await bindings.unbind(app, { client, ids });
        return changed(client, ended ?? given, ended === undefined ? [UNBOUND] : []);
      },
    },
  };
}

const UNKNOWN: PushWarning = {
  path: 'installationId',
  message: 'is of no installation yet: nothing is pushed to it before its first save',
};
const UNBOUND: PushWarning = {
  path: 'installationId',
  message: 'is of no installation that is bound to the client: nothing was ended',
};

function asked(call: ApiCall): Readonly<Record<'app' | 'client' | 'given', string>> {
  const client = call.param('clientId');
  if (!isClientId(client)) throw new InvalidInput('client-id', `clientId: ${clientIdRule(client)}`);
  return { app: call.caller.app.id, client, given: bindable(call.param('installationId')) };
}

/** Whoever has the app may choose an installationId, but no objectId: an objectId leads to nobody else's installation. */
const installationOf = async (
  installations: BindingPorts['installations'],
  app: string,
  id: string,
): Promise<Installation | undefined> =>
  (await installations.get(app, id)) ?? (await installations.inspect(app, id))?.installation;

/** What a record says of itself is any text, and a list of bindings has spaces between its installations. */
function bindableIdsOf(known: Installation): Readonly<Record<'installationId' | 'objectId', string>> {
  const { objectId, installationId } = known;
  if (typeof installationId === 'string') return { installationId: bindable(installationId), objectId };
  throw new InvalidInput(
    'required-field',
    `installationId: the installation ${objectId} has none, and it is by that that pushes reach the devices of a client`,
  );
}

const MAX_ID_BYTES = LIMITS.boundInstallationIdBytes.value;
/** Without classes by property, which validators of other languages cannot read. */
export const BINDABLE_ID_PATTERN = String.raw`^[^\s\x00-\x1f\x7f-\x9f]+$`;
const BINDABLE_ID = new RegExp(BINDABLE_ID_PATTERN);

function bindable(id: string): string {
  if (Buffer.byteLength(id) <= MAX_ID_BYTES && BINDABLE_ID.test(id)) return id;
  throw new InvalidInput('wrong-type', `installationId: must have 1 to ${MAX_ID_BYTES} bytes without white space`);
}
