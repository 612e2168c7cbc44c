import { errorEntry, type ErrorCode } from '../../contract/error-codes.ts';
import type { Scene } from '../../contract/scene.ts';
import type { ApiError, ApiErrorKind } from './api-error.ts';

/** What a caller can take on itself to show: a code, or a kind of failure that has none. */
export type Owned = ErrorCode | Exclude<ApiErrorKind, 'refused'>;

export interface DecisionContext {
  readonly scene: Scene;
  /** whether the call only read */
  readonly reads: boolean;
  /** the endpoint's name */
  readonly name: string;
  readonly quiet?: boolean | undefined;
  readonly owns?: readonly Owned[] | undefined;
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
const go = (to: string, search: Record<string, string> = {}): Step => ({ type: 'navigate', to, search });

/**
 * [Note: Error decision] What the storefront does about an error of a call (spec 8). Pure: `perform.ts` does it. What
 * the caller owns is not said twice; the end of a session is not for a caller to keep quiet about, and neither is a
 * detour without which the same call can never succeed.
 */
export function decide(error: ApiError, context: DecisionContext): Action {
  const action = error.kind === 'refused' ? forCode(error.code ?? 0, context) : forFailure(error, context);
  if (isOwned(error, context)) return action.filter(endsSession);
  return context.quiet === true ? action.filter((step) => endsSession(step) || isDetour(step)) : action;
}

const endsSession = (step: Step) => step.type === 'endSession';
const isDetour = (step: Step) => step.type === 'navigate' && step.detour === true;

function isOwned(error: ApiError, { owns = [] }: DecisionContext): boolean {
  const key = error.kind === 'refused' ? error.code : error.kind;
  return owns.some((owned) => owned === key);
}

function forCode(code: number, { scene }: DecisionContext): Action {
  switch (errorEntry(code)?.policy) {
    case 'pass':
      return [];
    case 'stbLogin':
      return scene === 'STB' ? [go('/notice', { type: 'stbLoginErr', errCode: String(code) })] : [toast];
    case 'resetSilently':
      return [endSession];
    case 'toastAndReset':
      return [toast, endSession];
    case 'warnAndLogin':
      return [warning, endSession, go('/login')];
    case 'notFound':
      return [go('/404')];
    case 'pricing':
      return [go('/pricing-table', { errCode: String(code), type: 'cannotBuyPlan' })];
    case 'resetPassword':
      return [toast, { type: 'navigate', to: '/lost-password', search: { reason: 'upgrade' }, detour: true }];
    default:
      // 'toast', and any code in no table: its words are the generic ones then.
      return [toast];
  }
}

/**
 * Network errors of reads are silent: the page keeps its saved copy, or shows its own state with Retry. A payment or a
 * login always speaks (decisions, "Paying"). What nobody waits for any more is silent either way.
 */
function forFailure(error: ApiError, { reads }: DecisionContext): Action {
  if (error.kind !== 'network') return [toast];
  const unwanted = error.lost === 'aborted' || error.lost === 'stale';
  return reads || unwanted ? [] : [warning];
}
