import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import type { InstallMethod } from '#web/platform/pwa/install-method.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import AddArt from './art/add.svg?react';
import ConfirmArt from './art/confirm.svg?react';
import ShareOnPhoneArt from './art/share-on-phone.svg?react';
import ShareOnTabletArt from './art/share-on-tablet.svg?react';
import styles from './install.module.css';
import type { Elements } from '#web/ui/elements.ts';

/** The methods with manual steps. */
type ManualInstallMethod = Exclude<InstallMethod, 'question' | 'otherBrowser'>;

interface InstallStepsProps {
  method: ManualInstallMethod;
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Explains how to install the app where no page can do it, with a picture of the button to find. */
export function InstallSteps({ method, open, onClose, onDone }: InstallStepsProps) {
  const { name } = useBrand().theme;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<Trans>Add {name} to your home screen</Trans>}
      actions={
        <Button onClick={onDone}>
          <Trans>Done, it’s there</Trans>
        </Button>
      }
    >
      <ol className={styles.steps}>
        <Steps method={method} />
      </ol>
    </Dialog>
  );
}

function Steps({ method }: Pick<InstallStepsProps, 'method'>) {
  switch (method) {
    case 'shareOnPhone':
      return <ShareSteps first={<ShareOnPhoneArt />} />;
    case 'shareOnTablet':
      return <ShareSteps first={<ShareOnTabletArt />} />;
    case 'menu':
      return <MenuSteps />;
    case 'dock':
      return <DockSteps />;
  }
}

function Step({ art, children }: { art?: Elements; children: ReactNode }) {
  return (
    <li className={art ? `${styles.step} ${styles.drawn}` : styles.step}>
      {art}
      <p>{children}</p>
    </li>
  );
}

/** Safari on an iPhone or iPad. The labels are those of the system. */
function ShareSteps({ first }: { first: Elements }) {
  return (
    <>
      <Step art={first}>
        <Trans>
          Tap <strong>Share</strong>. If you don’t see it, tap the three dots first.
        </Trans>
      </Step>
      <Step art={<AddArt />}>
        <Trans>
          Scroll down and choose <strong>Add to Home Screen</strong>.
        </Trans>
      </Step>
      <Step art={<ConfirmArt />}>
        <Trans>
          Tap <strong>Add</strong> at the top.
        </Trans>
      </Step>
    </>
  );
}

function MenuSteps() {
  return (
    <>
      <Step>
        <Trans>Open your browser’s menu or tap its Share button.</Trans>
      </Step>
      <Step>
        <Trans>
          Choose <strong>Install app</strong> or <strong>Add to Home Screen</strong>.
        </Trans>
      </Step>
      <Step>
        <Trans>Confirm, then find the icon among your apps.</Trans>
      </Step>
    </>
  );
}

function DockSteps() {
  return (
    <>
      <Step>
        <Trans>
          Open the <strong>File</strong> menu in Safari.
        </Trans>
      </Step>
      <Step>
        <Trans>
          Choose <strong>Add to Dock</strong> and confirm.
        </Trans>
      </Step>
    </>
  );
}
