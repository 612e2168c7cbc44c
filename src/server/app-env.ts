import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Brand } from './brand/catalog.ts';

/** What the front of the server finds out about every request. */
export interface AppEnv {
  /** absent when the app is asked in process */
  Bindings: Partial<HttpBindings>;
  Variables: {
    traceId: string;
    /** pattern of the route for logs and metrics, never the address itself */
    route: string;
    brand: Brand;
    /** scheme and host by which the caller reached the brand */
    origin: string;
    /** who asks, where a session says so */
    uid?: string;
    /** the code of a refusal */
    code?: number;
  };
}

export type App = Hono<AppEnv>;
