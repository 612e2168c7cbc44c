import type { TvDeviceName } from '../session.ts';

interface Maker {
  readonly maker: string;
  /** other names that its devices report */
  readonly alsoCalled?: readonly string[];
  /** models by display name, with the values that devices report (Android's `Build.MODEL`, and similar) */
  readonly models?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The only names that a TV device can have. The caller who requests a code describes the device, and an attacker would
 * write "Support of your shop", so the description only selects an entry of this list.
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
 * The name of a TV device by its description: maker and model must both be in the list, ignoring case and signs. Empty
 * otherwise.
 */
export function findTvDeviceName(device: string, model: string): TvDeviceName {
  const found = makerOf.get(fold(device));
  if (!found) return { maker: '', model: '' };
  const reported = fold(model);
  const isReported = ([name, codes]: [string, readonly string[]]) =>
    [name, ...codes].some((one) => fold(one) === reported);
  return { maker: found.maker, model: Object.entries(found.models ?? {}).find(isReported)?.[0] ?? '' };
}

/** User agents of TVs without a model of the list. */
const agents: readonly (readonly [RegExp, TvDeviceName])[] = [
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

/** The model in user agents of Android browsers: `Android 9; MIBOX4 Build/…`. */
const androidModel = /Android [\d.]+; ([\w .-]{2,60}?)(?: Build\/[^;)]*)?[;)]/;

const byModel = new Map(
  makers.flatMap(({ maker, models = {} }) =>
    Object.entries(models).flatMap(([model, codes]) =>
      [model, ...codes].map((reported) => [fold(reported), { maker, model }] as const),
    ),
  ),
);

/** The name of a TV by its user agent: one of the list, as in `findTvDeviceName`, or empty. */
export function findTvDeviceNameByAgent(userAgent: string): TvDeviceName {
  const model = androidModel.exec(userAgent)?.[1];
  const known = model === undefined ? undefined : byModel.get(fold(model));
  return known ?? agents.find(([pattern]) => pattern.test(userAgent))?.[1] ?? { maker: '', model: '' };
}
