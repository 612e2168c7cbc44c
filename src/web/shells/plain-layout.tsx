import { Outlet } from '@tanstack/react-router';
import { PlainFrame } from './plain-frame.tsx';

/** For pages that do one thing, with nothing that leads elsewhere by accident. */
export function PlainLayout() {
  return (
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  );
}
