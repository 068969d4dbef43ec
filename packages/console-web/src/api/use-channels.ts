import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../words/language';
import { api, ask } from './client';

/** The channels of vendors, with what a profile of each holds; the same for as long as the fleet has this version. */
export const useChannels = () =>
  useQuery({
    queryKey: ['profile-fields'],
    staleTime: Infinity,
    queryFn: () => ask(api.GET('/api/v1/profile-fields')),
  });

/** The channel of the fleet itself, which has no profile. */
export const OWN = 'own';

/** What people call a channel; undefined where that is the name that the API has for it. */
export function useChannelName(): (channel: string) => string | undefined {
  const { language, t } = useLanguage();
  const { data } = useChannels();
  return (channel) => {
    const known = data?.results.find((one) => one.channel === channel);
    const name = channel === OWN ? t('ownChannel') : known?.names[language];
    return name?.toLowerCase() === channel ? undefined : name;
  };
}
