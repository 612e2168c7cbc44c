import { createElement, type ComponentType, type ReactElement } from 'react';

type Drawings = Readonly<Record<string, ReactElement>>;

/** Drawings by the names of their files. */
export const byName = (files: Readonly<Record<string, ComponentType>>): Drawings =>
  Object.fromEntries(
    Object.entries(files).map(([path, drawing]) => [path.replace(/^.*\/|\.svg$/g, ''), createElement(drawing)]),
  );

/** The drawing of this name; names come from a brand and from gateways. */
export const findDrawing = (drawings: Drawings, name: string) =>
  Object.hasOwn(drawings, name) ? drawings[name] : undefined;
