import { useLingui } from '@lingui/react/macro';
import { CodeField } from '../../identity/code-field.tsx';
import { SendCodeWords } from '../../identity/send-code-words.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './register.module.css';
import type { RegisterControl } from './use-register.ts';

interface CodeRowProps {
  register: RegisterControl;
  byPhone: boolean;
}

/** The code that shows whose the account is: asked for once the account looks right, then typed beside it. */
export function CodeRow({ register: { form, code, identity }, byPhone }: CodeRowProps) {
  const { t } = useLingui();
  const { onChange: _, ...input } = form.text('code');
  const ready = identity !== undefined && code.waitSeconds === 0;
  const onItsWay = byPhone ? t`A code is on its way to this number by SMS.` : t`A code is on its way to this address.`;
  const before = byPhone ? t`We send it to your number by SMS.` : t`We send it to your address.`;
  return (
    <>
      <div className={styles.code}>
        <CodeField
          {...input}
          focusOn={code.asked}
          onChange={(digits) => form.set('code', digits)}
          hint={code.sent ? onItsWay : before}
        />
        <Button
          variant="secondary"
          className={styles.send}
          busy={code.busy}
          disabled={!ready}
          onClick={() => identity && void code.send(identity)}
        >
          <span>
            <SendCodeWords sent={code.sent} seconds={code.waitSeconds} />
          </span>
        </Button>
      </div>
      <Problem>{code.problem}</Problem>
    </>
  );
}
