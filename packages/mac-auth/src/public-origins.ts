/** A host and a port that a caller may have signed. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface PublicOrigins {
  /**
   * Every endpoint that a signature may name. The Host header only decides which are tried first: whoever forges it
   * gains nothing.
   */
  candidates(hostHeader: string | undefined): readonly Endpoint[];
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The endpoints of public base addresses such as `https://login.example.com` or `http://127.0.0.1:8081`. The port is
 * 443 for https and 80 for http (User Information API, Authentication, rule 4); where an address names another, some
 * clients sign that one and others still sign the scheme's, and samples in PHP and Go sign 443 whatever the scheme, so
 * all of these count. Throws for an address that is not a URL.
 */
export function openPublicOrigins(urls: readonly string[]): PublicOrigins {
  const origins = urls.map((text) => new URL(text));
  const all = unique(origins.flatMap(endpointsOf));
  const byHeader = new Map(origins.map((origin) => [origin.host, unique([...endpointsOf(origin), ...all])] as const));
  return { candidates: (header) => byHeader.get(header?.toLowerCase() ?? '') ?? all };
}

function endpointsOf({ protocol, hostname, port }: URL): readonly Endpoint[] {
  const usual = DEFAULT_PORTS[protocol];
  if (usual === undefined) throw new TypeError(`a public address must begin with http:// or https://, not ${protocol}`);
  const ports = [...(port === '' ? [] : [Number(port)]), usual, 443];
  return ports.map((number) => ({ host: hostname, port: number }));
}

function unique(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return [...new Map(endpoints.map((endpoint) => [`${endpoint.host} ${endpoint.port}`, endpoint])).values()];
}
