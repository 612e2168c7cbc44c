import type { Endpoint, Input, Result } from './endpoint.ts';
import type { BrandMessages } from './brand-messages.ts';
import type { FunctionConfig, SiteConfig, Theme } from './brand.ts';
import type { Language } from './fields.ts';
import type { Screen } from './screen.ts';

/**
 * The interface between the server, which owns data and headers, and the built storefront, which owns HTML. The server
 * imports the built renderer by file name and passes a `PageRequest`. `PageState` is embedded in the page as JSON for
 * hydration.
 */

/** What every page has before any request. */
export interface BrandState {
  readonly theme: Theme;
  readonly siteConfig: SiteConfig;
  readonly functionConfig: FunctionConfig;
  /** the brand's own messages by message ID, in the language of the page */
  readonly messages: BrandMessages;
  readonly countryCode: string;
}

export interface PageState extends BrandState {
  readonly language: Language;
  /** true if the body contains the rendered page; false for a shell, or for what all customers see of their page */
  readonly rendered: boolean;
  /** the query results that the page was rendered from, dehydrated by TanStack Query */
  readonly queries?: unknown;
}

/** Calls an API handler in process, as a visitor of the brand. Rejects with `{ errCode }` on an error. */
export type PageCall = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Result<E>>;

export interface PageRequest {
  /** path and query of the browser's request */
  readonly url: string;
  /** scheme and host of the brand, for canonical URLs */
  readonly origin: string;
  readonly language: Language;
  /** the URL names the language, which is otherwise the visitor's own */
  readonly languageInUrl: boolean;
  /** the User-Agent header */
  readonly userAgent: string;
  readonly brand: BrandState;
  /** false for the shell, and for what all customers see of their page before its data */
  readonly render: boolean;
  /** a sentence that the server shows in a shell until the browser renders; plain text */
  readonly notice?: string;
  readonly call: PageCall;
}

export interface PageHtml {
  readonly status: 200 | 404 | 500;
  /** source modules that the page needs in the browser, by the build's names; the server preloads their files */
  readonly modules: readonly string[];
  /** `<html>` attributes */
  readonly lang: Language;
  readonly screen: Screen;
  /** markup for the head: title, description, canonical, alternates, icons */
  readonly head: string;
  /** CSS text for the inline style block: the brand's tokens */
  readonly style: string;
  /** JavaScript that runs before the first paint and sets the theme; the same on every page */
  readonly firstScript: string;
  /** JavaScript that runs once the body is parsed: records early taps, [Note: Start guard]; the same on every page */
  readonly script: string;
  readonly body: string;
  readonly state: PageState;
}

/** A page, or the path of this site to redirect to. */
export type RenderedPage = PageHtml | { readonly redirect: string };

export type RenderPage = (request: PageRequest) => Promise<RenderedPage>;
