import { useLanguage } from '../words/language';

const CHINESE = /[\u3400-\u9fff]/;

/** What the server says, in the language of the page where that is known: English is called so, for who hears the page. */
export function Said({ text }: { readonly text: string }) {
  const { language, say } = useLanguage();
  const told = say(text);
  return language === 'en' || CHINESE.test(told) ? told : <span lang="en">{told}</span>;
}

/** The same for a field, to which nothing is said where nothing is wrong with it. */
export const said = (error: string | undefined) => (error === undefined ? undefined : <Said text={error} />);
