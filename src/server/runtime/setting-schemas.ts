import * as v from 'valibot';
import { canonicalOrigin } from './host-name.ts';

/** `true` or `false`; `false` without a value. */
export const flag = v.pipe(
  v.optional(v.picklist(['true', 'false', '1', '0', '']), 'false'),
  v.transform((value) => value === 'true' || value === '1'),
);
/** Texts separated by commas. */
export const parts = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value.split(',').map((part) => part.trim())),
  v.transform((all) => all.filter((part) => part !== '')),
);
/** Names separated by commas, in lower case. */
export const list = v.pipe(
  parts,
  v.transform((all) => all.map((part) => part.toLowerCase())),
);
/** A scheme and a host, such as `https://shop.example`. */
export const origin = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host without a path, such as https://shop.example'),
  v.transform(canonicalOrigin),
);

/** A number of seconds, 1 or more. */
export const wholeSeconds = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.minValue(1));
/** A number of seconds with a default. */
export const seconds = (usual: number) => v.optional(wholeSeconds, String(usual));
