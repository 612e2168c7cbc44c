import type { Customer } from '#tests/fixtures/customer.ts';
import type { Person } from './person.ts';

export interface Shop {
  readonly origin: (brand: string) => string;
}
/** Goes a journey, or what is done before it. */
export type Walk = (person: Person, shop: Shop, who: Customer) => Promise<void>;
