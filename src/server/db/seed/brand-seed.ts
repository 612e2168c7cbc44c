import type { Language } from '../../../contract/fields.ts';
import type * as schema from '../schema.ts';

type Row<T extends { $inferInsert: unknown }> = Omit<T['$inferInsert'], 'brand' | 'position'>;

/** A whole brand as data. Rows are in the order in which they are shown. */
export interface BrandSeed {
  readonly brand: typeof schema.brands.$inferInsert & { readonly name: string };
  /** host names without a port */
  readonly hosts: readonly string[];
  /** languages of the documents: all four, so that a brand can add one to its `langs` at any time */
  readonly languages: readonly Language[];
  readonly plans: readonly Row<typeof schema.plans>[];
  readonly methods: readonly Row<typeof schema.paymentMethods>[];
  readonly banners: readonly Row<typeof schema.banners>[];
  readonly coupons: readonly Row<typeof schema.coupons>[];
  readonly wordings: readonly Row<typeof schema.wordings>[];
}
