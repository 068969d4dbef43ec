import { useMutation, type QueryKey } from '@tanstack/react-query';
import { ApiError, errorOf } from '../../api/client';
import { useChange } from '../../api/use-change';

interface NewThing {
  /** Of the list that it comes into. */
  readonly queryKey: QueryKey;
  readonly id: string;
  readonly read: () => Promise<unknown>;
  readonly save: () => Promise<unknown>;
  /** Said where the id is taken. */
  readonly taken: string;
  readonly onDone: () => void;
}

/** The API saves over what is there: a form for something new has to ask first whether its id is taken. */
export function useNew({ queryKey, id, read, save, taken, onDone }: NewThing) {
  const changed = useChange(queryKey);
  return useMutation({
    mutationFn: async () => {
      if (id !== '') await requireFree(read(), taken);
      return changed(save());
    },
    onSuccess: onDone,
  });
}

async function requireFree(asked: Promise<unknown>, taken: string): Promise<void> {
  const isFree = await asked.then(
    () => false,
    (error: unknown) => {
      if (errorOf(error)?.status === 404) return true;
      throw error;
    },
  );
  if (!isFree) throw new ApiError(409, taken, []);
}
