import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { orderIdSchema } from '#contract/fields.ts';
import type { ConfirmingProvider } from '#contract/next-step.ts';
import { optional } from '#web/platform/entry/search.ts';
import { PaymentResultPage } from '#web/features/payment-result/payment-result-page.tsx';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

const searchSchema = v.object({
  orderId: optional(orderIdSchema),
  token: optional(v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/))),
  // literal names, because their schema would add the schemas of all steps to the first visit
  finish: optional(v.picklist(['useepay', 'payssion', 'paypal', 'stripe'] satisfies ConfirmingProvider[])),
  left: optional(v.literal('1')),
});

export const Route = createFileRoute('/_plain/paymentResult/')({
  validateSearch: searchSchema,
  // Public for anyone with the token: another browser, no session.
  beforeLoad: () => loadMessages('private'),
  head: ({ match }) => pageHead(match.context, { title: msg`Your payment`, index: false }),
  component: Result,
});

function Result() {
  return <PaymentResultPage {...Route.useSearch()} />;
}
