import type { QueryClient } from '@tanstack/react-query';
import type { I18n } from '@lingui/core';
import type { BrandState } from '../../contract/page.ts';

/** What every route's guard, loader and head can reach. */
export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly i18n: I18n;
  readonly brand: BrandState;
}
