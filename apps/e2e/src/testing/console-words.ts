import type { View } from './console-browser';

export type Words = Readonly<Record<string, string>>;

/** The texts of the pages, of which no package makes an export. */
export const WORDS: Readonly<Record<View['lang'], Words>> = {
  en: jest.requireActual<{ en: Words }>('../../../../packages/console-web/src/words/en').en,
  'zh-CN': jest.requireActual<{ zh: Words }>('../../../../packages/console-web/src/words/zh').zh,
};

/** What the server says, as the pages say it in Chinese. */
export const { chinese: CHINESE } = jest.requireActual<{
  chinese: { say(text: string): string | undefined; meaningOf(code: number): string | undefined };
}>('../../../../packages/console-web/src/words/said/chinese');
