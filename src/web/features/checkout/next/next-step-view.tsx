import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { PaymentAnswer } from '#contract/billing.ts';
import { GoTo } from '#web/domain/payments/go-to.tsx';
import { resultPath, resumePath } from '#web/domain/payments/resume-path.ts';
import { webAddress } from '#web/domain/payments/web-address.ts';
import { Spinner } from '#web/ui/spinner.tsx';

/** What follows pay: each step type has its own URL, so that it survives a reload (contract, `nextStepSchema`). */
export function NextStepView({ answer }: { answer: PaymentAnswer }) {
  const { orderId, next } = answer;
  const path = resumePath(orderId, next);
  if (next.type !== 'redirect') return <GoTo path={path} />;
  const address = webAddress(next.url);
  return address ? <LeaveForBank address={address} path={path} /> : <GoTo path={resultPath(orderId)} />;
}

/**
 * Opens the bank's page in the same window, and replaces the checkout with the step's page: Back from the bank leads
 * there. What is needed to continue is stored already.
 */
function LeaveForBank({ address, path }: { address: string; path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const leave = () => location.assign(address);
    // The URL is replaced at once; whether the page behind it loads does not matter to a customer who leaves.
    navigate({ href: path, replace: true }).then(leave, leave);
  }, [navigate, address, path]);
  return <Spinner label={<Trans>Taking you to the payment page…</Trans>} />;
}
