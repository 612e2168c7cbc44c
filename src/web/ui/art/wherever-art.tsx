import { Picture } from './picture.tsx';

/** One way through a landscape: the living room, the train, the mountain, each with its screen. */
export function WhereverArt() {
  return (
    <Picture>
      <g fill="var(--art)">
        <path d="M196 320 318 134q16-18 32 0l44 62 26-28q14-14 28 0l32 40v112z" fillOpacity=".2" />
        <path d="M0 214q92-48 190-16t190 4 100-8v126H0z" fillOpacity=".2" />
        <path d="M0 262q120-34 250-12t230-10v80H0z" fillOpacity=".26" />
      </g>
      <path
        d="M128 128c60-66 132-78 196-40"
        stroke="var(--brand-text)"
        strokeOpacity=".6"
        strokeWidth="3"
        strokeDasharray="1 10"
      />
      <House />
      <Train />
      <Pin />
    </Picture>
  );
}

function House() {
  return (
    <g stroke="var(--line-strong)" strokeWidth="2">
      <path d="M40 158l62-46 62 46v68H40z" fill="var(--surface)" />
      <path d="M28 164l74-55 74 55" strokeWidth="7" stroke="var(--brand-text)" />
      <rect x="66" y="160" width="72" height="46" rx="6" fill="var(--art)" stroke="none" />
      <path d="M96 172v22l18-11z" fill="var(--on-art)" stroke="var(--on-art)" />
    </g>
  );
}

function Train() {
  return (
    <g stroke="var(--line-strong)" strokeWidth="2">
      <path d="M150 246q0-12 12-12h134q30 0 42 28l7 18q4 12-8 12H162q-12 0-12-12z" fill="var(--surface)" />
      <path d="M151 274h191" stroke="var(--art)" strokeWidth="6" />
      <rect x="164" y="243" width="40" height="22" rx="5" fill="var(--art)" fillOpacity=".35" stroke="none" />
      <rect x="214" y="243" width="40" height="22" rx="5" fill="var(--art)" stroke="none" />
      <path d="M230 248v12l10-6z" fill="var(--on-art)" stroke="none" />
      <path d="M264 243h32q14 0 24 22h-56z" fill="var(--art)" fillOpacity=".35" stroke="none" />
      <path d="M136 304h232M180 293v5M222 293v5M290 293v5M326 293v5" strokeWidth="4" />
    </g>
  );
}

function Pin() {
  return (
    <g>
      <path d="M352 134c-26-26-34-38-34-51a34 34 0 0 1 68 0c0 13-8 25-34 51z" fill="var(--art)" />
      <circle cx="352" cy="82" r="17" fill="var(--on-art)" />
      <path d="M347 74v16l13-8z" fill="var(--art)" />
      <rect
        x="396"
        y="140"
        width="52"
        height="96"
        rx="10"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="2"
      />
      <rect x="403" y="150" width="38" height="32" rx="4" fill="var(--art)" />
      <path d="M417 159v13l11-6z" fill="var(--on-art)" />
      <path d="M405 194h34M405 206h22" stroke="var(--line-strong)" strokeWidth="4" />
    </g>
  );
}
