import type { Result } from '#contract/endpoint.ts';
import type { handoverProgress } from '#contract/handover.ts';
import { endOf } from '#web/domain/payments/payment-view.ts';

export type Progress = Result<typeof handoverProgress>;

/** What a TV shows of a checkout that it hands to a phone ([Note: Hand-over]). */
export type HandoverStage =
  /** the code is on its way */
  | { readonly kind: 'opening' }
  /** the code waits to be scanned */
  | { readonly kind: 'scan' }
  /** somebody said no on the phone */
  | { readonly kind: 'refused' }
  /** the phone has the checkout and has not paid yet */
  | { readonly kind: 'opened' }
  /** the phone has an order that waits for its money */
  | { readonly kind: 'paying' }
  /** its last try failed; another one may follow, on either screen */
  | { readonly kind: 'failed' }
  /** there is a result to be shown: it is paid, or called off */
  | { readonly kind: 'ended'; readonly orderId: string };

/** From what the server says; undefined before its first word. */
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
