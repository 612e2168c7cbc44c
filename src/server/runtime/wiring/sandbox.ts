import type { BrandRows } from '#server/brand/folder/rows.ts';
import type { ScriptCaptcha } from '#server/auth/captcha/recaptcha.ts';
import type { Contents } from '#server/db/migrate.ts';
import type { Deps } from '#server/deps.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import type { Gateways } from '#server/payments/gateway.ts';
import type { KnownProvider } from '#server/payments/known-providers.ts';
import type { PaypalAccount } from '#server/payments/paypal/client.ts';
import type { App } from '../request/request-context.ts';
import type { GoogleProvider } from '#server/auth/sign-on/google-provider.ts';

export type ProviderDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'catalog' | 'log' | 'metrics'>;

/** Sends a request to the shop. Rejects or resolves with 5xx when the shop is not available; then it is retried. */
export type Deliver = (request: Request) => Promise<Response>;

/** The port to the simulated providers and the demo brands (`src/sandbox`), which production never loads. */
export interface Sandbox {
  /** the database contents of a demo */
  readonly demoContents: Contents;
  readonly demoBrandsFolder: string;
  demoBrand(code: 'lumen' | 'mego' | 'baobab'): Promise<BrandRows>;
  /** what the simulated providers can charge, by the names of their gateways */
  readonly simulatedProviders: Readonly<Record<string, KnownProvider>>;
  gateways(deps: Pick<ProviderDeps, 'db' | 'clock' | 'random' | 'env'>): Gateways;
  paypalAccount(deps: Pick<ProviderDeps, 'db' | 'clock' | 'random' | 'env'>): PaypalAccount;
  google(deps: Omit<ProviderDeps, 'catalog'>): GoogleProvider;
  /** sends to the sandbox push service */
  push(deps: Pick<ProviderDeps, 'db' | 'clock' | 'random'>): SendRequest;
  scriptCaptcha(deps: Omit<ProviderDeps, 'catalog'>): ScriptCaptcha;
  /** each adds the routes of a provider, or a page of the demo */
  readonly routes: readonly ((app: App, deps: Deps) => void)[];
  /** delivers the providers' notices that are due */
  deliverNotices(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'catalog'>, deliver: Deliver): Promise<void>;
}
