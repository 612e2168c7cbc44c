import { errorRule, searchOf, type ErrorName, type ErrorPage } from '#contract/error-codes.ts';
import type { Scene } from '#contract/scene.ts';
import type { ApiError, ApiErrorKind } from './api-error.ts';

/** An error that a caller can show itself: a code, or a kind of failure without a code. */
export type HandledError = ErrorName | Exclude<ApiErrorKind, 'refused'>;

export interface DecisionContext {
  readonly scene: Scene;
  /** whether the call only reads */
  readonly reads: boolean;
  readonly quiet?: boolean | undefined;
  readonly shownErrors?: readonly HandledError[] | undefined;
}

/** One thing to do about an error. A toast shows the message of the error itself. */
export type Step =
  | { readonly type: 'toast'; readonly tone: 'danger' | 'warning' }
  | { readonly type: 'endSession' }
  | {
      readonly type: 'navigate';
      readonly to: string;
      readonly search: Readonly<Record<string, string>>;
      /** a detour: the page receives the current location and leads back there */
      readonly detour?: true;
    };

/** In order of execution; empty when only the caller handles the error. */
export type Action = readonly Step[];

const toast: Step = { type: 'toast', tone: 'danger' };
const warning: Step = { type: 'toast', tone: 'warning' };
const endSession: Step = { type: 'endSession' };

/**
 * [Note: Error decision] What the storefront does about an error of a call. Pure: `perform.ts` executes it. An error
 * that the caller handles is not shown twice. A caller cannot suppress the end of a session, and a quiet call cannot
 * suppress a detour without which the same call can never succeed.
 */
export function decide(error: ApiError, context: DecisionContext): Action {
  const action = error.kind === 'refused' ? forCode(error, context) : forFailure(error, context);
  if (isHandled(error, context)) return action.filter(endsSession);
  return context.quiet === true ? action.filter((step) => endsSession(step) || isDetour(step)) : action;
}

const endsSession = (step: Step) => step.type === 'endSession';
const isDetour = (step: Step) => step.type === 'navigate' && step.detour === true;

function isHandled(error: ApiError, { shownErrors = [] }: DecisionContext): boolean {
  const key = error.kind === 'refused' ? error.reason : error.kind;
  return shownErrors.some((handled) => handled === key);
}

function forCode({ code = 0, reason, params }: ApiError, { scene }: DecisionContext): Action {
  const { toast: tone, endsSession: ends, opens } = errorRule(reason);
  const page = opens && (opens.scene ?? scene) === scene ? opens : undefined;
  // a page that opens in one scene only replaces the toast
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
 * Network errors of reads are silent: the page shows its saved copy, or its own state with Retry. A failed write shows
 * a warning. An answer that is no longer needed is silent in both cases.
 */
function forFailure(error: ApiError, { reads }: DecisionContext): Action {
  if (error.kind !== 'network') return [toast];
  const unwanted = error.lost === 'aborted' || error.lost === 'stale';
  return reads || unwanted ? [] : [warning];
}
