import { Picture } from './picture.tsx';

const hours = Array.from({ length: 12 }, (_, hour) => hour * 30);

/** Day and night around one clock whose centre is the play button. */
export function WheneverArt() {
  return (
    <Picture at="translate(55 12) scale(.88)">
      <path
        d="M30 190a180 180 0 0 1 360 0"
        stroke="var(--art)"
        strokeOpacity=".35"
        strokeWidth="3"
        strokeDasharray="1 11"
      />
      <g stroke="var(--brand-text)" strokeWidth="5">
        <circle cx="62" cy="96" r="20" fill="var(--art)" stroke="none" />
        <path d="M62 60v-8M62 140v-8M26 96h-8M106 96h-8M37 71l-6-6M93 127l-6-6M37 121l-6 6M93 65l-6 6" />
      </g>
      <path d="M372 116a34 34 0 1 1-32-48 28 28 0 0 0 32 48z" fill="var(--art)" />
      <circle cx="210" cy="196" r="124" fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2" />
      {hours.map((angle) => (
        <path
          key={angle}
          d={angle % 90 === 0 ? 'M210 88v14' : 'M210 88v6'}
          transform={`rotate(${angle} 210 196)`}
          stroke="var(--line-strong)"
          strokeWidth="4"
        />
      ))}
      <path d="M210 196V116M210 196l50 30" stroke="var(--text)" strokeWidth="6" />
      <circle cx="210" cy="196" r="34" fill="var(--art)" />
      <path d="M201 180v32l27-16z" fill="var(--on-art)" stroke="var(--on-art)" strokeWidth="2" />
    </Picture>
  );
}
