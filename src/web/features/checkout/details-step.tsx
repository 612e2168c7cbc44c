import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './checkout.module.css';
import { InstallmentList } from './installment-list.tsx';
import { MethodIcon } from './method-icon.tsx';
import { PayerFields } from './payer-fields.tsx';
import type { Choices } from './use-choices.ts';
import type { PayerFormControl } from './use-payer.ts';
import type { Purchase } from './use-purchase.ts';

interface DetailsStepProps {
  purchase: Purchase;
  payer: PayerFormControl;
  choices: Choices;
  onBack: () => void;
  children: ReactNode;
}

/** The second step: what the method asks for, in how many parts, and the tap that pays. */
export function DetailsStep({ purchase, payer, choices, onBack, children }: DetailsStepProps) {
  const { method, options, installments } = purchase;
  return (
    <div className={styles.main}>
      <p className={styles.chosen}>
        <MethodIcon icon={method.icon} />
        {method.name}
        <Button variant="quiet" onClick={onBack}>
          <Trans>
            Change<span className="sr-only"> {method.name}</span>
          </Trans>
        </Button>
      </p>
      {children}
      <PayerFields fields={method.fields} payer={payer} />
      {options.length > 1 ? (
        <InstallmentList
          options={options}
          value={installments}
          onChange={(count) => choices.choose({ installments: count })}
        />
      ) : null}
    </div>
  );
}
