import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState, type ComponentProps, type MouseEvent } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import type { Policy } from './use-policy.ts';

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
