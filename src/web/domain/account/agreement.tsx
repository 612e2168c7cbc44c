import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useState, useEffect, type ComponentProps, type MouseEvent } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Sections } from '#web/ui/sections.tsx';
import styles from './policy-dialog.module.css';
import { useQuery } from '@tanstack/react-query';
import { dynamicConfig, type Document } from '#contract/documents.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { policyInfoKey } from '#web/platform/session/storage/identity-keys.ts';

type AgreementProps = Omit<ComponentProps<typeof Checkbox>, 'label'>;

/**
 * The checkbox that agrees to terms and privacy policy. The documents open over the form; before hydration, or in a new
 * tab, the same links open their page.
 */
export function Agreement(box: AgreementProps) {
  const [open, setOpen] = useState<Policy>();
  const show = (policy: Policy) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(policy);
  };
  return (
    <>
      <Checkbox
        {...box}
        aria-required
        label={
          <Trans>
            I accept the{' '}
            <Link to="/privacy" hash="terms" target="_blank" aria-haspopup="dialog" onClick={show('terms')}>
              Terms of Use
            </Link>{' '}
            and the{' '}
            <Link to="/privacy" target="_blank" aria-haspopup="dialog" onClick={show('privacy')}>
              Privacy Policy
            </Link>
          </Trans>
        }
      />
      <PolicyDialog open={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

interface PolicyDialogProps {
  /** the open document; undefined when closed */
  open: Policy | undefined;
  onClose: () => void;
}

/** Shows the terms of use or the privacy policy without leaving the form. */
function PolicyDialog({ open, onClose }: PolicyDialogProps) {
  return (
    <Dialog
      open={open !== undefined}
      onClose={onClose}
      title={open === 'terms' ? <Trans>Terms of Use</Trans> : <Trans>Privacy Policy</Trans>}
      actions={
        <Button variant="secondary" wide onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      {open ? <PolicyText type={open} /> : null}
    </Dialog>
  );
}

function PolicyText({ type }: { type: Policy }) {
  const { t } = useLingui();
  const { document, failed, retry } = usePolicy(type);
  const name = type === 'terms' ? t`Terms of Use` : t`Privacy Policy`;
  if (document)
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with the focus, arrows scroll it in every browser
      <div className={styles.text} role="region" aria-label={name} tabIndex={0}>
        <Sections sections={document.sections} className={styles.section} />
      </div>
    );
  if (!failed) return <Skeleton height={240} />;
  const again = (
    <Button variant="secondary" onClick={retry}>
      <Trans>Try again</Trans>
    </Button>
  );
  return (
    <Alert tone="danger" live="assertive" action={again}>
      <Trans>We can’t reach the shop. Check your connection.</Trans>
    </Alert>
  );
}

type Policy = 'terms' | 'privacy';

/** A document to agree to. Once read in this tab, it can be read again offline. */
function usePolicy(type: Policy) {
  const language = useLanguage();
  const name = `${type}.${language}`;
  const [kept] = useState(() => policyInfoKey.get() ?? {});
  const query = useQuery(q(dynamicConfig, { query: { type, code: language } }, { quiet: true }));
  const fetched = query.data;
  useEffect(() => {
    if (fetched) policyInfoKey.set({ ...policyInfoKey.get(), [name]: fetched });
  }, [fetched, name]);
  const document: Document | undefined = fetched ?? kept[name];
  return { document, failed: query.isError && !query.isFetching, retry: () => void query.refetch() };
}
