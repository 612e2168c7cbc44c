import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState, type ComponentProps, type MouseEvent } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import type { Policy } from './use-policy.ts';

type AgreementProps = Omit<ComponentProps<typeof Checkbox>, 'label'>;

/**
 * The box that agrees to terms and privacy. The texts open over the form; before the page is alive, or in a tab of
 * their own, the same links lead to the page that has them.
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
              Terms Of Use
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
