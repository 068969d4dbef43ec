import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { en, type Key } from './en';
import { zh } from './zh';

export type Language = 'en' | 'zh-CN';
type Words = (key: Key) => string;

interface Spoken {
  readonly language: Language;
  readonly t: Words;
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

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(STORED, language);
  }, [language]);
  const spoken = useMemo(
    () => ({
      language,
      choose: setLanguage,
      t: (key: Key) => (language === 'en' ? en : zh)[key],
    }),
    [language],
  );
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
