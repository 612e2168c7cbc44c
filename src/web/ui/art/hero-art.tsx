/** The product in one picture (`Picture`): the library in the cloud, playing on a TV, a box and a phone. */
export function HeroArt() {
  return (
    <>
      <Television />
      <Box />
      <Phone />
      <Cloud />
    </>
  );
}

function Television() {
  return (
    <g>
      <path d="M150 326l-14 26M350 326l14 26" stroke="var(--line-strong)" strokeWidth="6" />
      <rect x="52" y="96" width="396" height="232" rx="18" fill="var(--surface)" stroke="var(--line-strong)" />
      <rect x="64" y="108" width="372" height="208" rx="10" fill="var(--art)" />
      <g fill="var(--on-art)">
        <circle cx="356" cy="164" r="26" fillOpacity=".5" />
        <path
          d="M64 262c46-44 82-58 120-34 34 22 52 34 92 6 42-30 92-46 160-4v76a10 10 0 0 1-10 10H74a10 10 0 0 1-10-10z"
          fillOpacity=".16"
        />
        <path
          d="M64 290c60-30 116-34 176-10 66 26 120 18 196-14v40a10 10 0 0 1-10 10H74a10 10 0 0 1-10-10z"
          fillOpacity=".22"
        />
        <circle cx="216" cy="196" r="32" />
      </g>
      <path d="M207 181v30l25-15z" fill="var(--art)" stroke="var(--art)" />
      <path d="M88 296h264" stroke="var(--on-art)" strokeOpacity=".35" strokeWidth="5" />
      <path d="M88 296h112" stroke="var(--on-art)" strokeWidth="5" />
    </g>
  );
}

function Box() {
  return (
    <g>
      <path d="M40 388h480" stroke="var(--line-strong)" />
      <rect x="196" y="356" width="120" height="30" rx="8" fill="var(--surface)" stroke="var(--line-strong)" />
      <circle cx="214" cy="371" r="4" fill="var(--art)" />
      <path d="M276 371h24" stroke="var(--line-strong)" strokeWidth="4" />
    </g>
  );
}

function Phone() {
  return (
    <g>
      <rect x="396" y="176" width="112" height="212" rx="20" fill="var(--surface)" stroke="var(--line-strong)" />
      <path d="M440 190h24" stroke="var(--line-strong)" strokeWidth="4" />
      <rect x="408" y="204" width="88" height="64" rx="8" fill="var(--art)" fillOpacity=".9" />
      <path d="M446 224v24l20-12z" fill="var(--on-art)" stroke="var(--on-art)" />
      <path d="M410 280h84" stroke="var(--line)" strokeWidth="4" />
      <path d="M410 280h36" stroke="var(--art)" strokeWidth="4" />
      <g fill="var(--art)">
        <rect x="408" y="296" width="26" height="26" rx="6" fillOpacity=".35" />
        <rect x="408" y="332" width="26" height="26" rx="6" fillOpacity=".2" />
      </g>
      <path
        d="M444 304h48M444 315h30M444 340h42M444 351h24"
        stroke="var(--line-strong)"
        strokeOpacity=".7"
        strokeWidth="4"
      />
    </g>
  );
}

function Cloud() {
  return (
    <g>
      <path
        d="M84 118a34 34 0 0 1 0-68 44 44 0 0 1 85 4 32 32 0 1 1 1 64z"
        fill="var(--surface)"
        stroke="var(--line-strong)"
      />
      <path d="M126 98V64m-14 13 14-14 14 14" stroke="var(--brand-text)" strokeWidth="5" />
    </g>
  );
}
