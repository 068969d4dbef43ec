import { useMutation, type QueryKey } from '@tanstack/react-query';
import { useChange } from '../../api/use-change';

/** In the query of what saves something new: what is there already stays as it is. */
export const CREATE = { create: '1' } as const;

interface NewThing {
  /** Of the list that it comes into. */
  readonly queryKey: QueryKey;
  readonly save: () => Promise<unknown>;
  readonly onDone: () => void;
}

export function useNew({ queryKey, save, onDone }: NewThing) {
  const changed = useChange(queryKey);
  return useMutation({ mutationFn: () => changed(save()), onSuccess: onDone });
}
