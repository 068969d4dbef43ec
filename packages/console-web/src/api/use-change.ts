import { useQueryClient, type QueryKey } from '@tanstack/react-query';

/** What was done is told, although what follows from it does not come. */
const MOST_WAIT_MS = 3000;

/** Waits for a change, and then asks anew for what stands under the key. */
export function useChange(queryKey: QueryKey): <T>(change: Promise<T>) => Promise<T> {
  const client = useQueryClient();
  return async (change) => {
    const answer = await change;
    const late = new Promise((resolve) => setTimeout(resolve, MOST_WAIT_MS));
    await Promise.race([client.invalidateQueries({ queryKey }), late]);
    return answer;
  };
}
