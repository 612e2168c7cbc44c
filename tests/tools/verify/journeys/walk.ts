import type { Customer } from '#tests/fixtures/customer.ts';
import type { Person } from './person.ts';

export interface Shop {
  readonly origin: (brand: string) => string;
}
/** Performs a journey, or its preparation. */
export type Walk = (person: Person, shop: Shop, who: Customer) => Promise<void>;
