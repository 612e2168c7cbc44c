import type { Locator, Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';

/** A visitor who counts screens, taps and typed fields. */
export class Person {
  screens = 0;
  taps = 0;
  typed = 0;
  readonly page: Page;
  #last = '';
  constructor(page: Page) {
    this.page = page;
  }

  /** opens an address and starts to count */
  async open(address: string): Promise<void> {
    await visit(this.page, address);
    [this.screens, this.taps, this.typed, this.#last] = [0, 0, 0, ''];
  }

  #countScreen(): void {
    const { pathname, searchParams } = new URL(this.page.url());
    const screen = `${pathname} ${searchParams.get('step') ?? ''}`;
    if (screen !== this.#last) this.screens += 1;
    this.#last = screen;
  }

  async tap(what: Locator): Promise<void> {
    await what.first().waitFor();
    this.#countScreen();
    await what.first().click();
    this.taps += 1;
  }

  async type(name: string, text: string): Promise<void> {
    const field = this.page.locator(`form [name="${name}"]:visible`).first();
    await field.waitFor();
    this.#countScreen();
    await (name === 'state' ? field.selectOption(text) : field.fill(text));
    this.typed += 1;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  }

  /** types into the visible fields that are empty */
  async typeAsked(values: Readonly<Record<string, string>>): Promise<void> {
    await this.page.locator('form div[aria-busy="true"]').first().waitFor({ state: 'detached' });
    for (const [name, text] of Object.entries(values)) {
      const field = this.page.locator(`form [name="${name}"]:visible`);
      if ((await field.count()) > 0 && (await field.first().inputValue()) === '') await this.type(name, text);
    }
  }
}
