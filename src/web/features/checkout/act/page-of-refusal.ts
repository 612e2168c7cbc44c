import { ApiError } from '../../../api/api-error.ts';
import type { PayState } from './pay-machine.ts';
import { pageOfCode } from './pay-outcome.ts';

/** Where the customer goes on when this purchase cannot be made at all (spec 8: 6000 and 6001). */
export function pageOfRefusal(state: PayState, priceError: Error | null): string | undefined {
  const code = state.phase === 'idle' && state.notice?.kind === 'refused' ? state.notice.code : undefined;
  return pageOfCode(code ?? (priceError instanceof ApiError ? priceError.code : undefined));
}
