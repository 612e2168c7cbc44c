import { useEffect, useRef, type ComponentProps } from 'react';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { ConfirmOwner } from './confirm-owner.tsx';

const loadConfirm = () =>
  withMessages(
    'private',
    import('./confirm-owner.tsx').then((part) => part.ConfirmOwner),
  );

type Props = ComponentProps<typeof ConfirmOwner> & { onCancel: () => void };

/**
 * The form that confirms the owner, loaded with its messages when it is first rendered. It is cancelled if it cannot be
 * loaded.
 */
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
