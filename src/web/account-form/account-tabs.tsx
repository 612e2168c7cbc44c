import { useLingui } from '@lingui/react/macro';
import type { AccountType } from '../../contract/user.ts';
import { Segmented } from '../ui/segmented.tsx';

interface AccountTabsProps {
  value: AccountType;
  onChange: (tab: AccountType) => void;
  /** whether the brand takes phone numbers; there is nothing to choose where it does not */
  supported: boolean;
}

/** By e-mail address or by phone number: `useAccountTab` remembers which. */
export function AccountTabs({ value, onChange, supported }: AccountTabsProps) {
  const { t } = useLingui();
  if (!supported) return null;
  return (
    <Segmented
      legend={t`Account`}
      name="tab"
      value={value}
      onChange={onChange}
      options={[
        { value: 'email', label: t`Email` },
        { value: 'phone', label: t`Phone` },
      ]}
    />
  );
}
