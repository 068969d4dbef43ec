import { envOrigin } from './env-types';

/** Somebody whose API lives at origins that an operator may replace: variable name to production origin. */
export interface OriginOwner {
  readonly name: string;
  readonly endpoints: Readonly<Record<string, string>>;
}

/** The variables of all owners' origins, to be spread into a schema; their names are known at run time only. */
export const originConfig = (owners: readonly OriginOwner[]) =>
  Object.fromEntries(
    owners.flatMap(({ name, endpoints }) =>
      Object.entries(endpoints).map(([variable, production]) => [
        variable,
        envOrigin().default(production).describe(`Origin of the ${name} vendor's API, without path.`),
      ]),
    ),
  );

/** The origins in a parsed configuration, by the name of their variable. */
export function originsIn(config: object, owners: readonly OriginOwner[]): Readonly<Record<string, string>> {
  const values = new Map<string, unknown>(Object.entries(config));
  const variables = owners.flatMap(({ endpoints }) => Object.keys(endpoints));
  return Object.fromEntries(variables.map((variable) => [variable, String(values.get(variable))]));
}
