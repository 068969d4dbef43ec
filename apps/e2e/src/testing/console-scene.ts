import { isDeepStrictEqual } from 'node:util';
import { channelNames, channels } from '@pushfleet/channels';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Fleet, type DemoApp } from '../fleet';
import { goWithin, openChromium, openContext, openPage, openTab, type View, type Watched } from './console-browser';

export const ROLES = ['viewer', 'sender', 'operator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const PASSWORD = 'a sentence that is easy to keep';
/** What a page would obey if a text became markup. */
export const EVIL = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
export const WIDE: View = { width: 1280, lang: 'en' };

const DOOR = {
  en: { name: 'Name', password: 'Password', signIn: 'Sign in' },
  'zh-CN': { name: '用户名', password: '密码', signIn: '登录' },
} as const;

interface Typed {
  readonly lang?: View['lang'];
  readonly password?: string | undefined;
}

interface Setting {
  readonly fleet: Fleet;
  readonly browser: Browser;
  readonly app: DemoApp;
  /** Of nobody who is limited to the other. */
  readonly foreign: DemoApp;
  /** Taken by every vendor but one device. */
  readonly pushId: string;
}

/** A fleet with a push that is done, a person of every role, and a browser in front of its console. */
export class ConsoleScene {
  /** By view and person who is signed in there. */
  readonly #browsers = new Map<string, BrowserContext>();

  private constructor(readonly setting: Setting) {}

  static async open(): Promise<ConsoleScene> {
    const fleet = await Fleet.start();
    try {
      return await ConsoleScene.prepare(fleet);
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  private static async prepare(fleet: Fleet): Promise<ConsoleScene> {
    const app = await fleet.createApp({ name: EVIL });
    const foreign = await fleet.createApp({ name: 'Somebody else’s' });
    for (const name of channelNames) {
      await fleet.call(app, ['POST', '/installations'], {
        ...{ deviceType: 'android', installationId: `device-${name}`, vendor: channels[name].vendor },
        ...{ registrationId: name === 'mi' ? 'gone-mi' : `alive-${name}`, note: EVIL },
      });
    }
    const { objectId: pushId } = await fleet.push(app, { data: { alert: EVIL, title: EVIL } });
    await fleet.done(app, pushId);
    await fleet.admin('PUT', '/users/ann', { name: 'Ann' });
    await fleet.admin('PUT', '/clients/game', { name: 'Game' });
    for (const role of ROLES) await fleet.admin('POST', '/people', { name: role, password: PASSWORD, role });
    await fleet.admin('POST', '/people', { name: 'guest', password: PASSWORD, role: 'owner', apps: [app.id] });
    return new ConsoleScene({ fleet, browser: await openChromium(), app, foreign, pushId });
  }

  async close(): Promise<void> {
    await this.setting.browser.close();
    await this.setting.fleet.stop();
  }

  address(path: string): string {
    return `${this.setting.fleet.url('console')}${path}`;
  }

  /** Sees the door in a language, with nobody signed in. */
  async goToDoor(page: Page, lang: View['lang']): Promise<void> {
    await page.goto(this.address(`/apps?lang=${lang}`));
    await page.getByLabel(DOOR[lang].name, { exact: true }).waitFor();
  }

  async signIn(page: Page, name: string, { lang = 'en', password = PASSWORD }: Typed = {}): Promise<void> {
    const words = DOOR[lang];
    await this.goToDoor(page, lang);
    await page.getByLabel(words.name, { exact: true }).fill(name);
    await page.getByLabel(words.password, { exact: true }).fill(password);
    await page.getByRole('button', { name: words.signIn }).click();
    await page.getByRole('navigation').first().waitFor({ state: 'attached' });
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** A page in which nothing may go wrong; what it showed goes with an error. */
  async withPage(view: View, work: (watched: Watched) => Promise<void>): Promise<void> {
    const watched = await openPage(this.setting.browser, view);
    try {
      await workIn(watched, work);
    } finally {
      await watched.context.close();
    }
  }

  /** The same for somebody who is signed in, in another tab of their browser, which knows them: signing in takes longer than most work. */
  async withTabOf(name: string, view: View, work: (watched: Watched) => Promise<void>): Promise<void> {
    const key = `${view.width} ${view.lang} ${name}`;
    const context = this.#browsers.get(key) ?? (await openContext(this.setting.browser, view));
    const watched = await openTab(context);
    this.#browsers.delete(key);
    try {
      await workIn(watched, async () => {
        await this.#comeIn(watched.page, name, view.lang);
        const before = await context.storageState();
        await work(watched);
        // What somebody signed out of, or chose to see otherwise, is for nobody else.
        if (isDeepStrictEqual(await context.storageState(), before)) this.#browsers.set(key, context);
      });
    } finally {
      await (this.#browsers.has(key) ? watched.page : context).close();
    }
  }

  /** Signs in unless the browser knows who it is. */
  async #comeIn(page: Page, name: string, lang: View['lang']): Promise<void> {
    await page.goto(this.address(`/apps?lang=${lang}`));
    const door = page.getByLabel(DOOR[lang].name, { exact: true });
    await door.or(page.getByRole('navigation')).first().waitFor({ state: 'attached' });
    if (await door.isVisible()) await this.signIn(page, name, { lang });
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
}

async function workIn(watched: Watched, work: (watched: Watched) => Promise<void>): Promise<void> {
  const { page, wrongs } = watched;
  try {
    await work(watched);
    expect(wrongs).toEqual([]);
  } catch (error) {
    const shown = await page.innerText('body');
    throw new Error(`${String(error)}\nThe page showed: ${shown}\nwrongs: ${wrongs.join('; ')}`, { cause: error });
  }
}

/** Follows a link within the pages, as a reader does, so that nothing is loaded again. */
export async function visit(page: Page, path: string, text: RegExp): Promise<void> {
  await goWithin(page, path);
  await page.getByRole('main').getByText(text).first().waitFor();
}
