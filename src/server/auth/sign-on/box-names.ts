import type { BoxName } from '../session.ts';

interface Maker {
  readonly maker: string;
  /** other words by which its boxes call it */
  readonly alsoCalled?: readonly string[];
  /** models by their shown name, each with what its boxes say of themselves (Android's `Build.MODEL`, and the like) */
  readonly models?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The only names that a box can have. Whoever asks for a code says what the box is, and a stranger who wants somebody
 * else's yes would say "Support of your shop": so what is said is looked for here and goes no further.
 */
const makers: readonly Maker[] = [
  {
    maker: 'Amazon',
    models: {
      'Fire TV': ['AFTB', 'AFTS', 'AFTN'],
      'Fire TV Stick': ['AFTM', 'AFTT', 'AFTSS', 'AFTSS2'],
      'Fire TV Stick 4K': ['AFTMM', 'AFTKA', 'AFTKM', 'AFTKRT'],
      'Fire TV Stick Lite': ['AFTSSS', 'AFTMA08C15'],
      'Fire TV Cube': ['AFTA', 'AFTR', 'AFTGAZL'],
    },
  },
  { maker: 'AOC' },
  { maker: 'Apple', models: { 'Apple TV': ['AppleTV', 'AppleTV6,2', 'AppleTV11,1', 'AppleTV14,1'] } },
  { maker: 'BTV' },
  { maker: 'Formuler', models: { Z8: [], 'Z10 Pro': [], 'Z11 Pro': [] } },
  { maker: 'Google', models: { Chromecast: ['Chromecast HD'], 'Google TV Streamer': [] } },
  { maker: 'Grundig' },
  { maker: 'H96', models: { 'H96 Max': [] } },
  { maker: 'Haier' },
  { maker: 'Hisense' },
  { maker: 'HTV' },
  { maker: 'JVC' },
  { maker: 'LG', alsoCalled: ['LGE', 'LG Electronics'], models: { webOS: ['webOS TV', 'Web0S'] } },
  { maker: 'MECOOL', models: { KM2: [], KM6: [], KM7: [] } },
  { maker: 'Multilaser', alsoCalled: ['Multi'] },
  { maker: 'MXQ', models: { 'MXQ Pro': ['MXQ-4K', 'MXQ Pro 4K'] } },
  { maker: 'NVIDIA', models: { 'Shield TV': ['Shield Android TV'] } },
  { maker: 'Panasonic' },
  { maker: 'Philco' },
  { maker: 'Philips', alsoCalled: ['TPV'] },
  { maker: 'Roku' },
  { maker: 'Samsung', alsoCalled: ['Samsung Electronics'], models: { Tizen: ['Tizen TV'] } },
  { maker: 'Semp' },
  { maker: 'Sharp' },
  { maker: 'Skyworth', alsoCalled: ['SkyworthDigital'] },
  { maker: 'Sony', models: { BRAVIA: ['BRAVIA 4K', 'BRAVIA 2K'] } },
  { maker: 'Tanix', models: { TX3: [], TX6: [], W2: [] } },
  { maker: 'TCL' },
  { maker: 'Telefunken' },
  { maker: 'Toshiba' },
  { maker: 'Ugoos' },
  { maker: 'Vestel' },
  { maker: 'X96', models: { 'X96 Mini': [], 'X96 Max': [], X96Q: [] } },
  {
    maker: 'Xiaomi',
    models: {
      'Mi Box S': ['MIBOX4', 'MIBOX3'],
      'TV Box S': ['MiTV-MFTR0', 'Xiaomi TV Box S 2nd Gen'],
      'Mi TV Stick': ['MiTV-AESP0', 'MiTV-AYFR0'],
    },
  },
  { maker: 'ZTE' },
];

const fold = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const makerOf = new Map(
  makers.flatMap((one) => [one.maker, ...(one.alsoCalled ?? [])].map((name) => [fold(name), one] as const)),
);

/**
 * The name of a box that calls itself so: both words have to be ones that we know, letter by letter but for case and
 * signs. Empty where it says anything else.
 */
export function boxNameOf(device: string, model: string): BoxName {
  const found = makerOf.get(fold(device));
  if (!found) return { maker: '', model: '' };
  const said = fold(model);
  const isSaid = ([name, codes]: [string, readonly string[]]) => [name, ...codes].some((one) => fold(one) === said);
  return { maker: found.maker, model: Object.entries(found.models ?? {}).find(isSaid)?.[0] ?? '' };
}

/** What the browsers of TVs call themselves, where that is not the name of a model in our list. */
const agents: readonly (readonly [RegExp, BoxName])[] = [
  [/Tizen/, { maker: 'Samsung', model: 'Tizen' }],
  [/Web0S|webOS\.?TV|NetCast/, { maker: 'LG', model: 'webOS' }],
  [/BRAVIA/, { maker: 'Sony', model: 'BRAVIA' }],
  [/VIERA/, { maker: 'Panasonic', model: '' }],
  [/PhilipsTV/, { maker: 'Philips', model: '' }],
  [/VIDAA/, { maker: 'Hisense', model: '' }],
  [/\bRoku/, { maker: 'Roku', model: '' }],
  [/CrKey/, { maker: 'Google', model: 'Chromecast' }],
  [/Apple ?TV/, { maker: 'Apple', model: 'Apple TV' }],
];

/** The model as Android's browsers tell it: `Android 9; MIBOX4 Build/…`. */
const androidModel = /Android [\d.]+; ([\w .-]{2,60}?)(?: Build\/[^;)]*)?[;)]/;

const byModel = new Map(
  makers.flatMap(({ maker, models = {} }) =>
    Object.entries(models).flatMap(([model, codes]) =>
      [model, ...codes].map((said) => [fold(said), { maker, model }] as const),
    ),
  ),
);

/** The name of a TV by what its browser says of itself: one of our list, as in `boxNameOf`, or none. */
export function boxNameOfAgent(userAgent: string): BoxName {
  const model = androidModel.exec(userAgent)?.[1];
  const known = model === undefined ? undefined : byModel.get(fold(model));
  return known ?? agents.find(([pattern]) => pattern.test(userAgent))?.[1] ?? { maker: '', model: '' };
}
