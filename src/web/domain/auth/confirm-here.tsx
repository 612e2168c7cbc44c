import { useEffect, useRef, type ComponentProps } from 'react';
import { withWords } from '#web/platform/i18n/catalogs.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { ConfirmOwner } from './confirm-owner.tsx';

const loadConfirm = () =>
  withWords(
    'private',
    import('./confirm-owner.tsx').then((part) => part.ConfirmOwner),
  );

type Props = ComponentProps<typeof ConfirmOwner> & { onCancel: () => void };

/** "Confirm that it is you", with its words, fetched when it is drawn first. Where it cannot come, it is cancelled. */
export function ConfirmHere(props: Props) {
  const [Confirm, want] = useLazyModule(loadConfirm);
  const cancel = useRef(props.onCancel);
  useEffect(() => {
    cancel.current = props.onCancel;
  });
  useEffect(() => {
    void want().then((came) => came || cancel.current());
  }, [want]);
  return Confirm ? <Confirm {...props} /> : <Skeleton lines={2} height={44} />;
}
