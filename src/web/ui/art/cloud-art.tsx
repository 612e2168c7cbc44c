import { Picture } from './picture.tsx';

/** Films, music and pictures rising into one cloud. */
export function CloudArt() {
  return (
    <Picture at="translate(37 6) scale(.78)">
      <path
        d="M152 212a64 64 0 0 1-2-128 92 92 0 0 1 172-1 66 66 0 1 1 20 129z"
        fill="var(--surface)"
        stroke="var(--line-strong)"
      />
      <path
        d="M152 196a48 48 0 0 1-3-96M172 84a76 76 0 0 1 58-44"
        stroke="var(--art)"
        strokeOpacity=".3"
        strokeWidth="8"
      />
      <path d="M262 178v-62m-26 24 26-26 26 26" stroke="var(--brand-text)" strokeWidth="9" />
      <path
        d="M110 296c2-34 22-52 52-60M262 268v-30M412 296c-2-34-22-52-52-60"
        stroke="var(--brand-text)"
        strokeOpacity=".5"
        strokeWidth="3"
        strokeDasharray="2 9"
      />
      <Kept />
    </Picture>
  );
}

/** What goes up: a film, a song, a picture. */
function Kept() {
  return (
    <>
      <g>
        <rect x="54" y="284" width="112" height="76" rx="12" fill="var(--art)" />
        <path d="M102 308v28l24-14z" fill="var(--on-art)" stroke="var(--on-art)" />
      </g>
      <g>
        <rect x="206" y="276" width="112" height="84" rx="12" fill="var(--surface)" stroke="var(--line-strong)" />
        <path d="M246 336v-36l34-7v34" stroke="var(--brand-text)" strokeWidth="5" />
        <circle cx="239" cy="336" r="8" fill="var(--brand-text)" />
        <circle cx="273" cy="328" r="8" fill="var(--brand-text)" />
      </g>
      <g>
        <rect x="358" y="284" width="112" height="76" rx="12" fill="var(--surface)" stroke="var(--line-strong)" />
        <path
          d="M364 350l34-34 22 22 16-14 28 28a8 8 0 0 1-6 4h-86a8 8 0 0 1-8-6z"
          fill="var(--art)"
          fillOpacity=".55"
        />
        <circle cx="440" cy="306" r="8" fill="var(--art)" />
      </g>
    </>
  );
}
