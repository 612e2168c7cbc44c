import type { Endpoint, Input, Result } from './endpoint.ts';
import type { BrandWords } from './brand-words.ts';
import type { FunctionConfig, SiteConfig, Theme } from './brand.ts';
import type { Language } from './fields.ts';
import type { Screen } from './screen.ts';

/**
 * [Note: Page hand-over] The seam between the server, which owns data and headers, and the built storefront, which
 * owns HTML. The server imports the built renderer by its file name and passes a `PageRequest`; neither room imports
 * the other's source. `PageState` travels in the page as JSON, and the browser starts from it.
 */

/** What every page knows before anything is fetched. */
export interface BrandState {
  readonly theme: Theme;
  readonly siteConfig: SiteConfig;
  readonly functionConfig: FunctionConfig;
  /** the brand's own words by message id, in the language of the page */
  readonly messages: BrandWords;
  readonly countryCode: string;
}

export interface PageState extends BrandState {
  readonly language: Language;
  /** true when the body holds the rendered page, false for the bare shell */
  readonly rendered: boolean;
  /** the answers that the page was rendered from, as TanStack Query dehydrates them */
  readonly queries?: unknown;
}

/** Calls a handler of the API in process, as a visitor of the brand. Rejects with `{ errCode }` on a refusal. */
export type PageCall = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Result<E>>;

export interface PageRequest {
  /** path and query, as the browser asked */
  readonly url: string;
  /** scheme and host of the brand, for canonical addresses */
  readonly origin: string;
  readonly language: Language;
  /** what the browser calls itself */
  readonly userAgent: string;
  readonly brand: BrandState;
  /** false asks for the shell only */
  readonly render: boolean;
  /** a sentence that stands in a shell until the browser draws; plain text */
  readonly notice?: string;
  readonly call: PageCall;
}

export interface PageHtml {
  readonly status: 200 | 404 | 500;
  /** source modules that the page needs in the browser, as the build names them; the server preloads their files */
  readonly modules: readonly string[];
  /** `<html>` attributes */
  readonly lang: Language;
  readonly screen: Screen;
  /** markup for the head: title, description, canonical, alternates, icons */
  readonly head: string;
  /** CSS text for the inline style block: the brand's tokens */
  readonly style: string;
  /** JavaScript that runs before anything is painted ([Note: Theme]); the same on every page */
  readonly firstScript: string;
  /** JavaScript that runs as soon as the body is there ([Note: Early taps], [Note: Start guard]); the same on every page */
  readonly script: string;
  readonly body: string;
  readonly state: PageState;
}

/** A page, or the own path that its address leads to. */
export type RenderedPage = PageHtml | { readonly redirect: string };

export type RenderPage = (request: PageRequest) => Promise<RenderedPage>;
