import type { Page } from '@playwright/test';
import type { Customer } from '#tests/fixtures/customer.ts';

/** A screen, and what is done there before its picture. */
export interface Shown {
  readonly name: string;
  readonly address: string;
  /** whose it is, where it is not of the one customer whose screens are taken: an order belongs to somebody, and its page to them */
  readonly as?: Customer;
  /** makes somebody new for each picture, whose state a picture uses up, and may answer another address for them */
  readonly fresh?: () => Promise<{ readonly as: Customer; readonly address?: string }>;
  readonly prepare?: (page: Page) => Promise<void>;
}

export const nameOf = (address: string) => address.replaceAll(/[^\w-]+/g, '_').replaceAll(/^_|_$/g, '') || 'home';
