import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';

export interface OfDevice {
  readonly id: string;
  readonly device: string;
}

/** What is known of a device: its road, and what became of its last pushes. */
export const useStory = ({ id, device }: OfDevice) =>
  useQuery({
    queryKey: ['device', id, device, 'story'],
    queryFn: () =>
      ask(
        api.GET('/api/v1/apps/{id}/installations/{installationId}/story', {
          params: { path: { id, installationId: device } },
        }),
      ),
  });
