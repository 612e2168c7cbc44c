/** A brand's mark on a 512 x 512 field, within the middle 80 %, which no launcher crops. */
export interface IconArt {
  readonly tenant: string;
  /** the background, and the lighter disc in its corner; flat colours make small files */
  readonly ground: readonly [string, string];
  /** the mark in white, for the tile */
  readonly mark: string;
}

const rays = [0, 45, 90, 135, 180, 225, 270, 315]
  .map((turn) => `<path d="M256 112V84" transform="rotate(${turn} 256 256)"/>`)
  .join('');

/** A shining lamp: a disc with a play symbol, and eight rays. */
const lumenMark = `
  <path fill="#fff" fill-rule="evenodd" d="M256 144a112 112 0 1 1 0 224a112 112 0 1 1 0-224z
    M227 207a12 12 0 0 0-6 10v78a12 12 0 0 0 18 10l66-39a12 12 0 0 0 0-20l-66-39a12 12 0 0 0-12 0z"/>
  <g stroke="#fff" stroke-width="26" stroke-linecap="round">${rays}</g>`;

/** An m of two arches. */
const megoMark = `
  <g fill="none" stroke="#fff" stroke-width="46" stroke-linecap="round" stroke-linejoin="round">
    <path d="M126 364V230a65 65 0 0 1 130 0V364"/>
    <path d="M256 230a65 65 0 0 1 130 0V364"/>
  </g>`;

/** A tree with a wide trunk and a flat crown. */
const baobabMark = `
  <path fill="#fff" d="M226 372c10-44 6-82-14-112l28 6c4-14 8-24 16-34 8 10 12 20 16 34l28-6c-20 30-24 68-14 112z"/>
  <g fill="#fff"><circle cx="170" cy="214" r="44"/><circle cx="256" cy="180" r="58"/><circle cx="342" cy="214" r="44"/></g>`;

export const iconArt: readonly IconArt[] = [
  { tenant: 'lumen', ground: ['#6d3beb', '#7c50f0'], mark: lumenMark },
  { tenant: 'mego', ground: ['#0c8a67', '#12a07a'], mark: megoMark },
  { tenant: 'baobab', ground: ['#a34b08', '#b8590f'], mark: baobabMark },
];

/**
 * The tile with its mark. `radius` rounds the tile, in the 512 units (0 for icons that the system crops itself);
 * `scale` scales the mark around the middle.
 */
export function iconSvg(
  { tenant, ground, mark }: IconArt,
  { radius, scale }: { radius: number; scale: number },
): string {
  const offset = 256 * (1 - scale);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">',
    `<clipPath id="${tenant}"><rect width="512" height="512" rx="${radius}"/></clipPath>`,
    `<g clip-path="url(#${tenant})"><path fill="${ground[0]}" d="M0 0h512v512H0z"/>`,
    `<circle cx="120" cy="90" r="330" fill="${ground[1]}"/></g>`,
    `<g transform="translate(${offset} ${offset}) scale(${scale})">${mark.replaceAll(/\s*\n\s*/g, '')}</g>`,
    '</svg>\n',
  ].join('');
}
