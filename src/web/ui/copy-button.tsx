import { useEffect, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './copy-button.module.css';
import { Check, Copy } from './icon.tsx';

interface CopyButtonProps {
  text: string;
  label: ReactNode;
  copiedLabel: ReactNode;
  variant?: 'primary' | 'secondary' | 'quiet' | undefined;
  size?: 'md' | 'lg' | undefined;
  wide?: boolean | undefined;
}

/** Older web views have no clipboard API; they can still copy a selection. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // without permission or a secure context, copying a selection still works
    return copyBySelection(text);
  }
}

/** Copies, and confirms for two seconds. The text itself must stay on the page for browsers that cannot copy. */
export function CopyButton({ text, label, copiedLabel, variant = 'secondary', size, wide }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <Button
        className={styles.copy}
        variant={variant}
        size={size}
        wide={wide}
        onClick={() => void copy(text).then(setCopied)}
      >
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        <span>{copied ? copiedLabel : label}</span>
      </Button>
      <span className="sr-only" role="status">
        {copied ? copiedLabel : null}
      </span>
    </>
  );
}
