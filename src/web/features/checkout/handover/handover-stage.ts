import type { Result } from '#contract/endpoint.ts';
import type { handoverProgress } from '#contract/handover.ts';
import { endOf } from '#web/domain/payments/payment-view.ts';

export type Progress = Result<typeof handoverProgress>;

/** What a TV shows of a checkout that it hands to a phone ([Note: Hand-over]). */
export type HandoverStage =
  /** the code is loading */
  | { readonly kind: 'opening' }
  /** the code can be scanned */
  | { readonly kind: 'scan' }
  /** refused on the phone */
  | { readonly kind: 'refused' }
  /** the phone has the checkout and has not paid yet */
  | { readonly kind: 'opened' }
  /** the phone has an order that is not paid yet */
  | { readonly kind: 'paying' }
  /** its last attempt failed; another one may follow, on either screen */
  | { readonly kind: 'failed' }
  /** there is a result to show: paid or cancelled */
  | { readonly kind: 'ended'; readonly orderId: string };

/** The stage from the server's response; undefined before the first one. */
export function handoverStage(progress: Progress | undefined): HandoverStage {
  if (!progress) return { kind: 'opening' };
  if (progress.state === 'waiting') return { kind: 'scan' };
  if (progress.state === 'refused') return { kind: 'refused' };
  if (!progress.order) return { kind: 'opened' };
  const { orderId, status } = progress.order;
  const end = endOf(status);
  if (end === undefined) return { kind: 'paying' };
  return end === 'failed' ? { kind: 'failed' } : { kind: 'ended', orderId };
}
