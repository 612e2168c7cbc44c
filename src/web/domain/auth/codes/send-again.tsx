import auth from '../auth-form.module.css';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { SendCodeWords } from './send-code-words.tsx';
import type { useCode } from './use-code.ts';

interface SendAgainProps {
  code: Pick<ReturnType<typeof useCode>, 'busy' | 'waitSeconds'>;
  onTap: () => void;
}

/** Below the form's main button, because only customers without a code need it. */
export function SendAgain({ code, onTap }: SendAgainProps) {
  return (
    <Button
      variant="quiet"
      wide
      className={classNames(auth.quiet, auth.again)}
      busy={code.busy}
      disabled={code.waitSeconds > 0}
      onClick={onTap}
    >
      <SendCodeWords sent seconds={code.waitSeconds} />
    </Button>
  );
}
