import { useLingui } from '@lingui/react/macro';
import * as v from 'valibot';
import { orderStatusSchema, type OrderStatus } from '../../../contract/order-status.ts';
import { statusWords } from '../../payment-state/status-words.ts';
import { Select } from '../../ui/select.tsx';
import styles from './orders.module.css';

const offered: readonly OrderStatus[] = [
  'PAYMENT_SUCCEEDED',
  'PAYMENT_PENDING',
  'PAYMENT_FAILED',
  'PAYMENT_CANCELLED',
  'REFUND_SUCCEEDED',
];

interface StatusFilterProps {
  value: OrderStatus | undefined;
  onChange: (status: OrderStatus | undefined) => void;
}

export function StatusFilter({ value, onChange }: StatusFilterProps) {
  const { t, i18n } = useLingui();
  const choose = (text: string) => {
    const parsed = v.safeParse(orderStatusSchema, text);
    onChange(parsed.success ? parsed.output : undefined);
  };
  return (
    <div className={styles.filter}>
      <Select label={t`Status`} name="status" value={value ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">{t`All orders`}</option>
        {offered.map((status) => (
          <option key={status} value={status}>
            {i18n._(statusWords(status).label)}
          </option>
        ))}
      </Select>
    </div>
  );
}
