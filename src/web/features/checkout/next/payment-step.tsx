import { isNoCoin } from './coin-amount.ts';
import { CryptoStep } from './crypto-step.tsx';
import { OtpStep } from './otp-step.tsx';
import { PushStep } from './push-step.tsx';
import { QrStep } from './qr-step.tsx';
import { RedirectStep } from './redirect-step.tsx';
import type { OpenStep } from './stage.ts';
import { StepFrame } from './step-frame.tsx';
import type { StepProps } from './step-props.ts';
import { TicketStep } from './ticket-step.tsx';
import { UploadStep } from './upload-step.tsx';

interface PaymentStepProps extends StepProps<OpenStep> {
  /** the last ask found no server; what is shown works all the same */
  unreachable: boolean;
}

/** One component for each type of step, whatever the method (contract, `nextStepSchema`). */
export function PaymentStep({ unreachable, ...props }: PaymentStepProps) {
  return (
    <StepFrame order={props.order} unreachable={unreachable} underWay={isUnderWay(props.step)}>
      <Step {...props} />
    </StepFrame>
  );
}

/** Money is on its way, or somebody looks whether it has come: nobody is offered to pay in another way. */
function isUnderWay(step: OpenStep): boolean {
  if (step.type === 'upload') return step.proof === 'received';
  return step.type === 'crypto' && step.chosen !== null && !isNoCoin(step.chosen.received);
}

function Step({ step, ...rest }: StepProps<OpenStep>) {
  switch (step.type) {
    case 'redirect':
      return <RedirectStep step={step} {...rest} />;
    case 'qr':
      return <QrStep step={step} {...rest} />;
    case 'ticket':
      return <TicketStep step={step} {...rest} />;
    case 'push':
      return <PushStep step={step} {...rest} />;
    case 'otp':
      return <OtpStep step={step} {...rest} />;
    case 'crypto':
      return <CryptoStep step={step} {...rest} />;
    case 'upload':
      return <UploadStep step={step} {...rest} />;
  }
}
