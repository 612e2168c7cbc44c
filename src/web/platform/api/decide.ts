import { errorRule, searchOf, type ErrorName, type ErrorPage } from '#contract/error-codes.ts';
import type { Scene } from '#contract/scene.ts';
import type { ApiError, ApiErrorKind } from './api-error.ts';

/** What a caller can take on itself to show: a code, or a kind of failure that has none. */
export type HandledError = ErrorName | Exclude<ApiErrorKind, 'refused'>;

export interface DecisionContext {
  readonly scene: Scene;
  /** whether the call only read */
  readonly reads: boolean;
  readonly quiet?: boolean | undefined;
  readonly callerShows?: readonly HandledError[] | undefined;
}

/** One thing to do about an error. The words of a toast are those of the error itself. */
export type Step =
  | { readonly type: 'toast'; readonly tone: 'danger' | 'warning' }
  | { readonly type: 'endSession' }
  | {
      readonly type: 'navigate';
      readonly to: string;
      readonly search: Readonly<Record<string, string>>;
      /** a detour: the page that opens is told where the customer was, and leads back there */
      readonly detour?: true;
    };

/** In the order in which it is done; empty when the caller alone deals with it. */
export type Action = readonly Step[];

const toast: Step = { type: 'toast', tone: 'danger' };
const warning: Step = { type: 'toast', tone: 'warning' };
const endSession: Step = { type: 'endSession' };

/**
 * [Note: Error decision] What the storefront does about an error of a call. Pure: `perform.ts` does it. What
 * the caller handles is not said twice; the end of a session is not for a caller to keep quiet about, and neither is a
 * detour without which the same call can never succeed.
 */
export function decide(error: ApiError, context: DecisionContext): Action {
  const action = error.kind === 'refused' ? forCode(error, context) : forFailure(error, context);
  if (isHandled(error, context)) return action.filter(endsSession);
  return context.quiet === true ? action.filter((step) => endsSession(step) || isDetour(step)) : action;
}

const endsSession = (step: Step) => step.type === 'endSession';
const isDetour = (step: Step) => step.type === 'navigate' && step.detour === true;

function isHandled(error: ApiError, { callerShows = [] }: DecisionContext): boolean {
  const key = error.kind === 'refused' ? error.reason : error.kind;
  return callerShows.some((handled) => handled === key);
}

function forCode({ code = 0, reason, params }: ApiError, { scene }: DecisionContext): Action {
  const { toast: tone, endsSession: ends, opens } = errorRule(reason);
  const page = opens && (opens.scene ?? scene) === scene ? opens : undefined;
  // a page of one scene stands in place of the toast
  const isSaid = tone !== undefined && page?.scene === undefined;
  return [
    ...(isSaid ? [{ type: 'toast', tone } as const] : []),
    ...(ends ? [endSession] : []),
    ...(page ? [openPage(code, page, params.planId)] : []),
  ];
}

function openPage(code: number, page: ErrorPage, planId: string | undefined): Step {
  const { to, detour } = page;
  return { type: 'navigate', to, search: searchOf(code, page, planId), ...(detour && { detour }) };
}

/**
 * Network errors of reads are silent: the page keeps its saved copy, or shows its own state with Retry. A payment or a
 * login always speaks. What nobody waits for any more is silent either way.
 */
function forFailure(error: ApiError, { reads }: DecisionContext): Action {
  if (error.kind !== 'network') return [toast];
  const unwanted = error.lost === 'aborted' || error.lost === 'stale';
  return reads || unwanted ? [] : [warning];
}
