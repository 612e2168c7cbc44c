import type { ReactNode } from 'react';

/** A piece of a phone's screen, 120 wide and 88 high, with the one thing to tap in the brand's colour. */
function Screen({ children }: { children: ReactNode }) {
  return (
    <svg
      width="120"
      height="88"
      viewBox="0 0 120 88"
      aria-hidden
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

/** The lower edge of a phone in whose frame everything stands. */
const phoneEnd = 'M15 1v60a18 18 0 0 0 18 18h54a18 18 0 0 0 18-18V1';

/** The system's sign for sharing: a sheet with an arrow out of it, about 14 by 18, its middle at 0,0. */
function ShareSign({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} stroke="var(--on-art)" strokeWidth="2">
      <path d="M-3-2h-4v11H7V-2H3M0 3v-12M-4-6l4-4 4 4" />
    </g>
  );
}

/** Lines of a page that nobody has to read. */
function Lines({ d }: { d: string }) {
  return <path d={d} stroke="var(--line)" strokeWidth="5" />;
}

/** Where Safari has its bar on a phone: at the lower edge, the sign in its middle. */
export function ShareOnPhoneArt() {
  return (
    <Screen>
      <path d={phoneEnd} fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2" />
      <Lines d="M29 8h62M29 20h44" />
      <path d="M17 36h86" stroke="var(--line)" strokeWidth="2" />
      <path d="M31 54l-5 5 5 5M84 54h10v10H84z" stroke="var(--line-strong)" strokeWidth="2" />
      <circle cx="60" cy="58" r="15" fill="var(--art)" />
      <ShareSign x={60} y={58} />
    </Screen>
  );
}

/** And on a tablet: at the upper edge, to the right. */
export function ShareOnTabletArt() {
  return (
    <Screen>
      <path
        d="M3 87V21A18 18 0 0 1 21 3h78a18 18 0 0 1 18 18v66"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="2"
      />
      <path d="M5 42h110" stroke="var(--line)" strokeWidth="2" />
      <path d="M20 24h40" stroke="var(--line-strong)" strokeWidth="8" strokeOpacity=".35" />
      <circle cx="92" cy="24" r="15" fill="var(--art)" />
      <ShareSign x={92} y={24} />
      <Lines d="M20 58h80M20 72h54" />
    </Screen>
  );
}

/** The list that comes up, and its line with a plus in a square. */
export function AddArt() {
  return (
    <Screen>
      <path d={phoneEnd} fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2" />
      <Lines d="M29 9h44M87 9h3M29 67h36M87 67h3" />
      <rect x="21" y="22" width="78" height="32" rx="10" fill="var(--art)" />
      <path d="M32 38h32" stroke="var(--on-art)" strokeWidth="5" />
      <path d="M77 30h16v16H77zM85 34v8M81 38h8" stroke="var(--on-art)" strokeWidth="2" />
    </Screen>
  );
}

/** The last question, and its button at the upper edge. */
export function ConfirmArt() {
  return (
    <Screen>
      <path
        d="M15 87V21A18 18 0 0 1 33 3h54a18 18 0 0 1 18 18v66"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="2"
      />
      <rect x="67" y="11" width="31" height="22" rx="11" fill="var(--art)" />
      <path d="M76 22h13" stroke="var(--on-art)" strokeWidth="5" />
      <path d="M25 22h12" stroke="var(--line-strong)" strokeWidth="5" strokeOpacity=".5" />
      <rect x="25" y="46" width="28" height="28" rx="7" fill="var(--art)" fillOpacity=".9" />
      <path d="M36 54.500v11l8.500-5.500z" fill="var(--on-art)" stroke="var(--on-art)" strokeWidth="2" />
      <Lines d="M64 54h28M64 67h18" />
    </Screen>
  );
}
