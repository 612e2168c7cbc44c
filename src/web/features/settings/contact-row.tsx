import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AccountType } from '../../../contract/user.ts';
import { AccountName } from '../../domain/account/names.tsx';
import { supportPhoneQuery } from '../../domain/account/support-phone.ts';
import { ContactAsk, contactDraft } from './contact-ask.tsx';
import { ContactCode } from './contact-code.tsx';
import { RemovePhone } from './remove-phone.tsx';
import { SettingRow, useRow, type Row } from './setting-row.tsx';
import type { Settings } from './settings-query.ts';
import { useContact } from './use-contact.ts';

interface ContactRowProps {
  type: AccountType;
  settings: Settings;
  fixed: boolean;
}

/** The address, or the number where the brand takes numbers and can write to them: what one signs in by and is written to at. */
export function ContactRow({ type, settings, fixed }: ContactRowProps) {
  const row = useRow();
  const phones = useQuery(supportPhoneQuery).data;
  const supported = phones?.supported === true && phones.sms;
  const now = type === 'email' ? settings.email : settings.phone;
  if (type === 'phone' && !supported && now === null) return null;
  const changes = !fixed && (type === 'email' || supported);
  const value = now === null ? <Trans>None yet</Trans> : type === 'phone' ? `+${now}` : <AccountName account={now} />;
  return (
    <SettingRow
      label={type === 'email' ? <Trans>Email</Trans> : <Trans>Phone number</Trans>}
      value={value}
      row={changes ? row : undefined}
      below={
        type === 'phone' && settings.phoneRemovable && settings.email !== null && !fixed ? (
          <RemovePhone email={settings.email} onRemoved={() => row.close(true)} />
        ) : null
      }
    >
      <ContactForm type={type} settings={settings} row={row} />
    </SettingRow>
  );
}

function ContactForm({ type, settings, row }: Omit<ContactRowProps, 'fixed'> & { row: Row }) {
  const contact = useContact(type);
  const leave = (saved = false) => {
    contactDraft(type).remove();
    row.close(saved);
  };
  return contact.to ? (
    <ContactCode contact={contact} to={contact.to} onDone={() => leave(true)} onCancel={() => leave()} />
  ) : (
    <ContactAsk contact={contact} settings={settings} onCancel={() => leave()} />
  );
}
