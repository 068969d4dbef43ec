import { Root, type IField, type IType, type Type } from 'protobufjs/light';

/** Commands that push uses, by their numbers in the published clients. */
export const COMMAND_NUMBERS = {
  session: 0,
  ack: 3,
  error: 7,
  login: 8,
  data: 9,
  echo: 14,
  loggedin: 15,
  logout: 16,
  loggedout: 17,
} as const;

/** In proto2 a field that is zero is told from one that is absent. */
const proto2 = (fields: Readonly<Record<string, IField>>): IType => ({ edition: 'proto2', fields });

/** As the published clients have it; fields that push does not use are left out and skipped. */
const root = Root.fromJSON({
  nested: {
    JsonObjectMessage: proto2({ data: { rule: 'required', type: 'string', id: 1 } }),
    DataCommand: proto2({
      ids: { rule: 'repeated', type: 'string', id: 1 },
      msg: { rule: 'repeated', type: 'JsonObjectMessage', id: 2 },
    }),
    AckCommand: proto2({ ids: { rule: 'repeated', type: 'string', id: 10 } }),
    ErrorCommand: proto2({
      code: { rule: 'required', type: 'int32', id: 1 },
      reason: { rule: 'required', type: 'string', id: 2 },
    }),
    GenericCommand: proto2({
      // An enum in the clients' schema; as a number, one that is not known here is still told apart.
      cmd: { type: 'int32', id: 1 },
      appId: { type: 'string', id: 3 },
      peerId: { type: 'string', id: 4 },
      i: { type: 'int32', id: 5 },
      installationId: { type: 'string', id: 6 },
      service: { type: 'int32', id: 8 },
      dataMessage: { type: 'DataCommand', id: 101 },
      errorMessage: { type: 'ErrorCommand', id: 103 },
      ackMessage: { type: 'AckCommand', id: 105 },
    }),
  },
});

export const genericCommand: Type = root.lookupType('GenericCommand');
