/** One way through a landscape: the living room, the train, the mountain hut, each with its screen. */
export function WhereverArt() {
  return (
    <svg
      viewBox="0 0 1120 320"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <circle cx="826" cy="112" r="56" fill="var(--brand)" fillOpacity=".22" />
      <g fill="var(--brand)">
        <path d="M560 320 742 118q14-14 28 0l70 78 44-44q14-14 28 0l208 168z" fillOpacity=".16" />
        <path d="M0 260q140-70 300-24t330 6q150-36 260-4t230-22v104H0z" fillOpacity=".2" />
        <path d="M0 292q220-40 480-14t640-18v60H0z" fillOpacity=".28" />
      </g>
      <path
        d="M150 208c90-120 210-132 330-76s250 36 384-30"
        stroke="var(--brand-text)"
        strokeOpacity=".55"
        strokeWidth="3"
        strokeDasharray="2 11"
      />
      <House />
      <Train />
      <Pin />
    </svg>
  );
}

function House() {
  return (
    <g stroke="var(--line-strong)" strokeWidth="2">
      <path d="M72 200l78-58 78 58v72H72z" fill="var(--surface)" />
      <path d="M58 208l92-70 92 70" strokeWidth="8" stroke="var(--brand-text)" />
      <rect x="104" y="204" width="92" height="54" rx="6" fill="var(--brand)" stroke="none" />
      <path d="M143 219v24l20-12z" fill="var(--on-brand)" stroke="var(--on-brand)" />
    </g>
  );
}

function Train() {
  return (
    <g stroke="var(--line-strong)" strokeWidth="2">
      <path d="M380 178q0-18 18-18h196q44 0 62 42l10 26q6 18-12 18H398q-18 0-18-18z" fill="var(--surface)" />
      <path d="M380 218h284" stroke="var(--brand)" strokeWidth="8" />
      <rect x="402" y="176" width="56" height="30" rx="6" fill="var(--brand)" fillOpacity=".3" stroke="none" />
      <rect x="474" y="176" width="56" height="30" rx="6" fill="var(--brand)" stroke="none" />
      <path d="M497 184v14l12-7z" fill="var(--on-brand)" stroke="none" />
      <path d="M546 176h46q20 0 34 30h-80z" fill="var(--brand)" fillOpacity=".3" stroke="none" />
      <path d="M360 262h340M412 246v8M470 246v8M588 246v8M640 246v8" strokeWidth="5" />
    </g>
  );
}

function Pin() {
  return (
    <g>
      <path d="M864 128c-34-34-44-50-44-66a44 44 0 0 1 88 0c0 16-10 32-44 66z" fill="var(--brand)" />
      <circle cx="864" cy="62" r="22" fill="var(--on-brand)" />
      <path d="M858 52v20l16-10z" fill="var(--brand)" />
      <rect
        x="968"
        y="150"
        width="66"
        height="122"
        rx="12"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="2"
      />
      <rect x="977" y="162" width="48" height="40" rx="5" fill="var(--brand)" />
      <path d="M995 174v16l14-8z" fill="var(--on-brand)" />
      <path d="M979 216h44M979 230h28" stroke="var(--line-strong)" strokeWidth="5" />
    </g>
  );
}
