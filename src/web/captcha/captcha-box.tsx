import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { siteKey } from '../../contract/captcha.ts';
import { q } from '../api/query.ts';
import { Ring } from '../ui/ring.tsx';
import styles from './captcha.module.css';
import { decodeSiteKey } from './decode-site-key.ts';
import type { CaptchaBoxProps } from './given.ts';
import { PictureCaptcha } from './picture-captcha.tsx';
import { ScriptCaptcha } from './script-captcha.tsx';
import { WorkCaptcha } from './work-captcha.tsx';

/** The script captcha where the shop has one, else the picture; and for whoever cannot see that, work for the device. */
export function CaptchaBox(props: CaptchaBoxProps) {
  const { data, isPending } = useQuery(q(siteKey, {}, { quiet: true }));
  const [chosen, choose] = useState<'picture' | 'work'>();
  const toWork = useCallback(() => choose('work'), []);
  const key = data && decodeSiteKey(data.key);
  const script = key && data.frame ? { siteKey: key, frame: data.frame } : undefined;
  return (
    <div className={styles.captcha}>
      {props.workOnly || chosen === 'work' ? (
        <WorkCaptcha {...props} onOther={() => choose('picture')} />
      ) : chosen === 'picture' || (!script && !isPending) ? (
        <PictureCaptcha {...props} onOther={toWork} />
      ) : script ? (
        <ScriptCaptcha {...props} {...script} onOther={() => choose('picture')} />
      ) : (
        <Ring />
      )}
    </div>
  );
}
