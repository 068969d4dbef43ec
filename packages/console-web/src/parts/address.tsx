import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location';

/** The router decodes a part of what stands in an address; what was encoded for it comes out as it stood there. */
const forRouter = (text: string): string => text.replaceAll('%', '%25');

function useAddress(): ReturnType<typeof useBrowserLocation> {
  const [path, go] = useBrowserLocation();
  return [forRouter(path), go];
}

const useQueryPart = (): string => forRouter(useSearch());

/** Pages below get paths and their parts as they are in the address: what was encoded once is decoded once. */
export const Addresses = ({ children }: { readonly children: ReactNode }) => (
  <Router hook={useAddress} searchHook={useQueryPart}>
    {children}
  </Router>
);

/** The id that a part of a path stands for; what nobody encoded is taken as it is. */
export function idIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
