import type { ComponentType } from 'react';
import { byName, findDrawing } from './drawings.ts';
import Unknown from './families/unknown.svg?react';

/** By the code of the method. */
const methods = byName(
  import.meta.glob<ComponentType>('./methods/*.svg', { query: '?react', import: 'default', eager: true }),
);
/** By family, for methods without a logo of their own. */
const families = byName(
  import.meta.glob<ComponentType>('./families/*.svg', { query: '?react', import: 'default', eager: true }),
);
/** Families that use the drawing of a method. */
const methodOfFamily: Readonly<Record<string, string>> = { pix: 'pix', paypal: 'paypal', ticket: 'boleto' };

/** Rendered in the frame of `method-mark.tsx`. */
export function MethodDrawing({ code, icon }: { code: string; icon: string }) {
  const alike = Object.hasOwn(methodOfFamily, icon) ? (methodOfFamily[icon] ?? '') : '';
  return findDrawing(methods, code) ?? findDrawing(methods, alike) ?? findDrawing(families, icon) ?? <Unknown />;
}
