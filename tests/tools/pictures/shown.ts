import type { Page } from '@playwright/test';
import type { Customer } from '#tests/fixtures/customer.ts';

/** A screen, and the actions before its screenshot. */
export interface Shown {
  readonly name: string;
  readonly address: string;
  /** the customer of this screen, if it is not the default one: the page of an order is only for its owner */
  readonly as?: Customer;
  /** creates a customer for each screenshot whose state can be used only once; may return another address */
  readonly fresh?: () => Promise<{ readonly as: Customer; readonly address?: string }>;
  readonly prepare?: (page: Page) => Promise<void>;
}

export const nameOf = (address: string) => address.replaceAll(/[^\w-]+/g, '_').replaceAll(/^_|_$/g, '') || 'home';
