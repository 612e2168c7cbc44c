/** A TV that shows a code, and the phone that says yes to it. */
export function TvArt() {
  return (
    <svg
      viewBox="0 0 300 190"
      width="300"
      height="190"
      aria-hidden
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <circle cx="140" cy="92" r="90" fill="var(--art)" fillOpacity=".08" />
      <path d="M104 158h72M140 140v18" stroke="var(--line-strong)" strokeWidth="5" />
      <rect x="34" y="28" width="212" height="116" rx="12" fill="var(--surface)" stroke="var(--line-strong)" />
      <rect x="42" y="36" width="196" height="100" rx="7" fill="var(--art)" />
      <path
        d="M42 112c44-24 84-22 118-6s50 12 78-8v31a7 7 0 0 1-7 7H49a7 7 0 0 1-7-7z"
        fill="var(--on-art)"
        fillOpacity=".16"
      />
      <g fill="var(--on-art)" fillOpacity=".92">
        {[72, 92, 112, 132, 160, 180, 200, 220].map((x) => (
          <rect key={x} x={x - 8} y="74" width="14" height="20" rx="4" />
        ))}
      </g>
      <path d="M143 84h6" stroke="var(--on-art)" strokeWidth="4" />
      <Phone />
    </svg>
  );
}

function Phone() {
  return (
    <g>
      <rect x="222" y="78" width="56" height="98" rx="11" fill="var(--surface)" stroke="var(--line-strong)" />
      <path d="M244 88h12" stroke="var(--line-strong)" strokeWidth="3" />
      <circle cx="250" cy="124" r="17" fill="var(--success-soft)" />
      <path d="M242 124l6 6 11-12" stroke="var(--success)" strokeWidth="4" />
      <path d="M236 156h28" stroke="var(--art)" strokeWidth="6" />
    </g>
  );
}
