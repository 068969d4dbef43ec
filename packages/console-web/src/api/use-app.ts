import { useQuery } from '@tanstack/react-query';
import { api, ask } from './client';

/** One app, with its keys for those who may see them. */
export const useApp = (id: string) =>
  useQuery({
    queryKey: ['app', id],
    queryFn: () => ask(api.GET('/api/v1/apps/{id}', { params: { path: { id } } })),
  });

/** What people call an app; its id where it cannot be asked for, and undefined until one of both is known. */
export function useAppName(id: string): string | undefined {
  const { data, error } = useApp(id);
  if (data && 'edition' in data) return String(data.name);
  return data || error ? id : undefined;
}
