import type { PaymentAnswer } from '../../../../contract/billing.ts';
import { GoTo } from '../../../payment-state/go-to.tsx';
import { resultPath, resumePath } from '../../../payment-state/resume-path.ts';
import { RedirectStep } from './redirect-step.tsx';

/** What comes after pay: one way on for each type of step (contract, `nextStepSchema`). */
export function NextStepView({ answer }: { answer: PaymentAnswer }) {
  const { orderId, next, resultToken } = answer;
  switch (next.type) {
    case 'redirect':
      return <RedirectStep url={next.url} statusPath={resultPath(orderId, resultToken)} />;
    case 'qr':
      return <GoTo path={resumePath(orderId, next)} />;
    case 'none':
      return <GoTo path={resultPath(orderId, resultToken)} />;
  }
}
