import { useQueryClient, type QueryKey } from '@tanstack/react-query';

/** Waits for a change, and then asks anew for what stands under the key. */
export function useChange(queryKey: QueryKey): <T>(change: Promise<T>) => Promise<T> {
  const client = useQueryClient();
  return async (change) => {
    const answer = await change;
    await client.invalidateQueries({ queryKey });
    return answer;
  };
}
