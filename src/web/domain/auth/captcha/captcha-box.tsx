import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { siteKey, siteKeySchema } from '#contract/captcha.ts';
import { q } from '#web/platform/api/query.ts';
import { Ring } from '#web/ui/spinner.tsx';
import styles from './captcha.module.css';
import type { CaptchaBoxProps } from './given.ts';
import { ScriptCaptcha } from './script-captcha.tsx';
import { WorkCaptcha } from './work-captcha.tsx';
import * as v from 'valibot';

/** The script captcha where the shop has one, else proof of work, which is also the other choice beside the script. */
export function CaptchaBox(props: CaptchaBoxProps) {
  const { data, isPending } = useQuery(q(siteKey, {}, { quiet: true }));
  const [byDevice, setByDevice] = useState(false);
  const key = data && decodeSiteKey(data.key);
  const script = key && data.frame ? { siteKey: key, frame: data.frame } : undefined;
  return (
    <div className={styles.captcha}>
      {props.workOnly || byDevice || (!script && !isPending) ? (
        <WorkCaptcha {...props} onOther={script && !props.workOnly ? () => setByDevice(false) : undefined} />
      ) : script ? (
        <ScriptCaptcha {...props} {...script} onOther={() => setByDevice(true)} />
      ) : (
        <Ring />
      )}
    </div>
  );
}

/** The site key as its provider has it; undefined for what is no base64, or no key once it is decoded. */
export function decodeSiteKey(encoded: string): string | undefined {
  try {
    const parsed = v.safeParse(siteKeySchema, atob(encoded));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // atob throws at what is no base64, which is then no key either
    return undefined;
  }
}
