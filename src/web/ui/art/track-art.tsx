import { Picture } from './picture.tsx';

const rows = [
  { y: 28, seen: 'M152 76h176' },
  { y: 132, seen: 'M152 180h104' },
  { y: 236, seen: 'M152 284h0' },
];

/** A list that remembers: one seen to the end, one in the middle, one still to come. */
export function TrackArt() {
  return (
    <Picture at="translate(51 10) scale(.86)">
      {rows.map(({ y, seen }, index) => (
        <g key={y}>
          <rect
            x={index === 1 ? 8 : 28}
            y={y - 8}
            width={index === 1 ? 424 : 384}
            height="88"
            rx="14"
            fill="var(--surface)"
            stroke={index === 1 ? 'var(--art)' : 'var(--line)'}
            strokeWidth={index === 1 ? 3 : 2}
          />
          <rect x="44" y={y + 8} width="88" height="56" rx="8" fill="var(--art)" fillOpacity={[0.3, 1, 0.15][index]} />
          <path d={`M152 ${y + 20}h${[120, 150, 96][index]}`} stroke="var(--line-strong)" strokeWidth="7" />
          <path d={`M152 ${y + 48}h176`} stroke="var(--line)" strokeWidth="7" />
          {index < 2 && <path d={seen} stroke="var(--art)" strokeWidth="7" />}
        </g>
      ))}
      <path d="M82 156v28l22-14z" fill="var(--on-art)" stroke="var(--on-art)" strokeWidth="2" />
      <circle cx="256" cy="180" r="10" fill="var(--surface)" stroke="var(--art)" strokeWidth="5" />
      <circle cx="374" cy="64" r="18" fill="var(--success-soft)" />
      <path d="M366 64l6 6 10-11" stroke="var(--success)" strokeWidth="4" />
    </Picture>
  );
}
