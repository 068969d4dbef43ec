import { useQuery } from '@tanstack/react-query';
import { api, ask, type Schemas } from './client';

/** What the reasons of records and waits mean; the same for as long as the fleet has this version. */
export function useReasons(): Schemas['Reasons']['results'] {
  const { data } = useQuery({
    queryKey: ['reasons'],
    staleTime: Infinity,
    queryFn: () => ask(api.GET('/api/v1/reasons')),
  });
  return data?.results ?? [];
}
