import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { en, type Key } from './en';
import { zh } from './zh';

export type Language = 'en' | 'zh-CN';
type Words = (key: Key) => string;

interface Spoken {
  readonly language: Language;
  readonly t: Words;
  /** What the server said in its own words, which are English; as it is where no others are known. */
  readonly say: (text: string) => string;
  /** What a code of an error means; the server says so itself in English. */
  readonly meaningOf: (code: number) => string | undefined;
  choose(language: Language): void;
}

const STORED = 'pushfleet-language';

const Spoken = createContext<Spoken | undefined>(undefined);

const readAs = (text: string | null): Language | undefined =>
  text === null ? undefined : text.toLowerCase().startsWith('zh') ? 'zh-CN' : text.startsWith('en') ? 'en' : undefined;

/** The address first, then what was chosen before; the server has written what the browser asked for. */
function firstLanguage(): Language {
  const asked = readAs(new URLSearchParams(location.search).get('lang'));
  return asked ?? readAs(localStorage.getItem(STORED)) ?? readAs(document.documentElement.lang) ?? 'en';
}

/** Pages in English load none of it; until it is there, or where it cannot be had, the words of the server stand as they are. */
const useSayings = (language: Language) =>
  useQuery({
    queryKey: ['sayings'],
    enabled: language === 'zh-CN',
    staleTime: Infinity,
    retry: 3,
    queryFn: async () => (await import('./said/chinese')).chinese,
  }).data;

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(STORED, language);
  }, [language]);
  const loaded = useSayings(language);
  const spoken = useMemo(() => {
    const sayings = language === 'en' ? undefined : loaded;
    return {
      language,
      choose: setLanguage,
      t: (key: Key) => (language === 'en' ? en : zh)[key],
      say: (text: string) => sayings?.say(text) ?? text,
      meaningOf: (code: number) => sayings?.meaningOf(code),
    };
  }, [language, loaded]);
  return <Spoken value={spoken}>{children}</Spoken>;
}

export function useLanguage(): Spoken {
  const spoken = useContext(Spoken);
  if (!spoken) throw new Error('a page stands outside of the provider of its language');
  return spoken;
}

export const useWords = (): Words => useLanguage().t;

const formatFor = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** Made once: a list has one for each row, and is drawn anew with every change. */
const FORMATS: Readonly<Record<Language, Intl.DateTimeFormat>> = { en: formatFor('en'), 'zh-CN': formatFor('zh-CN') };

/** Made once, too. */
const NUMBERS: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en'),
  'zh-CN': new Intl.NumberFormat('zh-CN'),
};

/** A number as people of the language write it. */
export function useNumber(): (value: number) => string {
  const { language } = useLanguage();
  return (value) => NUMBERS[language].format(value);
}

/** A moment as people of the language write it. */
export function useMoment(): (at: unknown) => string {
  const { language } = useLanguage();
  const format = FORMATS[language];
  return (at) => (typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? format.format(new Date(at)) : '');
}
