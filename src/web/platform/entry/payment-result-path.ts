import { matchPath } from '#contract/paths.ts';

const maxPairs = 32;
const namePattern = /^(?!__proto__$)[A-Za-z_]{1,32}$/;
const maxValueLength = 2048;

type ResultQuery = Readonly<Record<string, string>>;

/**
 * The query that a provider wrote into the path: `/paymentResult/orderId/X/status/ok` means `orderId=X&status=ok`. At
 * most 32 pairs; the first value of a name wins. An encoded `response` contains a URL whose query is read; that URL is
 * never opened. None of this is trusted: the server decides the outcome.
 */
export function resultQueryOf(pathname: string, search = ''): ResultQuery {
  // as: Object.create returns any
  const found = Object.create(null) as Record<string, string>;
  const add = (name: string | undefined, value: string | undefined) => {
    if (name === undefined || value === undefined || value.length > maxValueLength) return;
    if (!namePattern.test(name) || name in found || Object.keys(found).length >= maxPairs) return;
    found[name] = value;
  };
  for (const [name, value] of segmentPairs(pathname)) add(name, value);
  for (const [name, value] of new URLSearchParams(search)) add(name, value);
  const response = found['response'];
  delete found['response'];
  for (const [name, value] of innerQuery(response)) add(name, value);
  return found;
}

function* segmentPairs(pathname: string): Generator<[string, string]> {
  if (matchPath(pathname) !== '/paymentResult') return;
  const segments = pathname.split('/').slice(2, 2 + 2 * maxPairs);
  for (let index = 0; index + 1 < segments.length; index += 2) {
    const name = decode(segments[index]);
    const value = decode(segments[index + 1]);
    if (name !== undefined && value !== undefined) yield [name, value];
  }
}

/** The URL may be encoded once or twice, or be part of JSON or of another query. */
function innerQuery(response: string | undefined): URLSearchParams {
  let text = response;
  for (let round = 0; text !== undefined && round < 3; round += 1) {
    const address = /https?:\/\/[^\s"'<>\\]+/.exec(text)?.[0];
    if (address && URL.canParse(address)) return new URL(address).searchParams;
    text = decode(text);
  }
  return new URLSearchParams();
}

/** Undefined for a broken escape. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
