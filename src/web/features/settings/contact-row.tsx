import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccountType } from '#contract/user.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { ContactAsk, contactDraft } from './contact-ask.tsx';
import { ContactCode } from './contact-code.tsx';
import { RemovePhone } from './remove-phone.tsx';
import { SettingRow, useRow, type Row } from './setting-row.tsx';
import { useSettingsKnown, type Settings } from './settings-query.ts';
import { useContact } from './use-contact.ts';

interface ContactRowProps {
  type: AccountType;
  settings: Settings;
  fixed: boolean;
}

/** The email address, or the phone number if the brand can send to phones: used for login and messages. */
export function ContactRow({ type, settings, fixed }: ContactRowProps) {
  const row = useRow();
  const isKnown = useSettingsKnown();
  const phones = useQuery(supportPhoneQuery).data;
  const supported = phones?.supported === true && phones.sms;
  const now = type === 'email' ? settings.email : settings.phone;
  if (type === 'phone' && !supported && now === null) return null;
  const waits = !settings.nameVerified && settings.type !== type;
  const changes = !fixed && !waits && (type === 'email' || supported);
  const none = isKnown ? <Trans>None yet</Trans> : null;
  const value = now === null ? none : type === 'phone' ? `+${now}` : <AccountName account={now} />;
  return (
    <SettingRow
      label={type === 'email' ? <Trans>Email</Trans> : <Trans>Phone number</Trans>}
      value={value}
      row={changes ? row : undefined}
      below={
        waits && !fixed ? (
          <ConfirmFirst type={settings.type} />
        ) : type === 'phone' && settings.phoneRemovable && settings.email !== null && !fixed ? (
          <RemovePhone email={settings.email} onRemoved={() => row.close(true)} />
        ) : null
      }
    >
      {type === 'phone' ? <SmsRisk /> : null}
      <ContactForm type={type} settings={settings} row={row} />
    </SettingRow>
  );
}

/** A second contact cannot be added to an account whose first one is unconfirmed. */
function ConfirmFirst({ type }: { type: AccountType }) {
  if (type === 'phone') return <Trans>Confirm your phone number first: change it to the same number.</Trans>;
  return (
    <span>
      <Trans>
        To add a phone number, <Link to="/resend-confirm">confirm your email</Link> first.
      </Trans>
    </span>
  );
}

/** The risk of logging in by SMS (OWASP ASVS 6.6.1). */
function SmsRisk() {
  return (
    <p>
      <Trans>
        Codes by SMS can be read by whoever takes over your number. <Link to="/passkeys">A passkey</Link> is safer.
      </Trans>
    </p>
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
