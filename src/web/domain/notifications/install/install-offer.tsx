import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { promptInstall, installPrompt, dismissInstallOffer } from '#web/platform/pwa/install-prompt.ts';
import { useStandalone } from '#web/platform/pwa/standalone.ts';
import { installMethod, type InstallMethod } from '#web/platform/pwa/install-method.ts';
import { installAnswerKey } from '#web/platform/session/storage/device-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { useStore } from '#web/ui/store.ts';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from './install.module.css';
import { InstallSteps } from './install-steps.tsx';

/** The browser may provide or withdraw its install prompt while this is mounted. */
function useInstallMethod(): InstallMethod | undefined {
  const hasAsked = useStore(installPrompt, false);
  const { userAgent, maxTouchPoints } = navigator;
  return installMethod({
    userAgent,
    touchPoints: maxTouchPoints,
    hasPrompt: 'onbeforeinstallprompt' in window,
    hasAsked,
  });
}

/** Offers to install the app by the method that this browser supports; offered once. */
export function InstallOffer({ wide }: { wide: boolean }) {
  const method = useInstallMethod();
  const [over, setOver] = useState(false);
  const isInstalled = useStandalone();
  if (!method || over || isInstalled) return null;
  const end = () => setOver(true);
  return <Offer method={method} wide={wide} onEnd={end} />;
}

interface OfferProps {
  method: InstallMethod;
  onEnd: () => void;
}

function Offer({ method, wide, onEnd }: OfferProps & { wide: boolean }) {
  const titleId = useId();
  const { name, tenantId } = useBrand().theme;
  const refuse = () => {
    dismissInstallOffer();
    onEnd();
  };
  return (
    <Card as="aside" className={classNames(styles.offer, wide && styles.fills)} aria-labelledby={titleId}>
      <img
        className={styles.icon}
        src={`/icons/${encodeURIComponent(tenantId)}/icon-192.png`}
        alt=""
        width={56}
        height={56}
      />
      <div className={styles.words}>
        <h2 className={styles.title} id={titleId}>
          <Trans>Keep {name} close at hand</Trans>
        </h2>
        <Explanation method={method} />
      </div>
      <div className={styles.actions}>
        <AcceptButton method={method} onEnd={onEnd} />
        <Button variant="quiet" onClick={refuse}>
          <Trans>No thanks</Trans>
        </Button>
      </div>
    </Card>
  );
}

function Explanation({ method }: Pick<OfferProps, 'method'>) {
  const { name } = useBrand().theme;
  return (
    <p className={styles.why}>
      {method === 'otherBrowser' ? (
        <Trans>
          This browser can’t install {name} as an app. Open this page in Chrome, Edge or Safari to add it to your home
          screen.
        </Trans>
      ) : (
        <Trans>Open it with one tap and see your plan and receipts even offline.</Trans>
      )}
    </p>
  );
}

function AcceptButton({ method, onEnd }: OfferProps) {
  const { t } = useLingui();
  const { name } = useBrand().theme;
  const [explains, setExplains] = useState(false);
  if (method === 'otherBrowser') return null;
  if (method === 'question') {
    return (
      <Button variant="secondary" onClick={() => void promptInstall().finally(onEnd)} aria-label={t`Install ${name}`}>
        <Trans>Install</Trans>
      </Button>
    );
  }
  const done = () => {
    installAnswerKey.set('installed');
    setExplains(false);
    onEnd();
  };
  return (
    <>
      <Button variant="secondary" onClick={() => setExplains(true)}>
        <Trans>Show me how</Trans>
      </Button>
      <InstallSteps method={method} open={explains} onClose={() => setExplains(false)} onDone={done} />
    </>
  );
}
