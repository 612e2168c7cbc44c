import type { Plugin } from 'vite';

/**
 * [Note: Lean React] React comes to the browser as one file that no bundler can shake, and a third of the first visit's
 * bytes. What this storefront never does is left out of it, function by function; the rest is React's own, as published.
 * Each function is named with what it does instead, and the build fails for any other version of React: a name may then
 * be gone, or stand for something else. Look at each again, then write the version here.
 * `tests/structure-storefront.test.ts` keeps the storefront from using what is left out.
 */
const lookedAt = '19.3.1';

const nothing = '';
const nullBody = 'return null;';
const falseBody = 'return false;';
/** for what cannot be reached, so that it is heard of if it is */
const never = 'throw Error("left out of React (.scripts/lean-react.ts)");';

type Bodies = Readonly<Record<string, string>>;

/** `<ViewTransition>`; the router's own transitions are the browser's and need nothing of React. */
const viewTransitions: Bodies = {
  getViewTransitionName: never,
  getViewTransitionClassName: never,
  trackEnterViewTransitions: nothing,
  pushViewTransitionCancelableScope: nullBody,
  applyViewTransitionToHostInstances: falseBody,
  applyViewTransitionToHostInstancesRecursive: falseBody,
  restoreViewTransitionOnHostInstances: nothing,
  commitAppearingPairViewTransitions: nothing,
  commitEnterViewTransitions: nothing,
  commitDeletedPairViewTransitions: nothing,
  commitExitViewTransitions: nothing,
  commitNestedViewTransitions: nothing,
  restorePairedViewTransitions: nothing,
  restoreEnterOrExitViewTransitions: nothing,
  restoreNestedViewTransitions: nothing,
  measureViewTransitionHostInstancesRecursive: falseBody,
  measureNestedViewTransitions: nothing,
  commitAfterMutationEffectsOnFiber: nothing,
  recursivelyTraverseAfterMutationEffects: nothing,
  scheduleViewTransitionEvent: nothing,
  reportViewTransitionError: nothing,
  applyViewTransitionName: nothing,
  restoreViewTransitionName: nothing,
  startViewTransition: never,
  ViewTransitionPseudoElement: nothing,
  createViewTransitionInstance: nullBody,
};

/** A `ref` on a `<Fragment>`. */
const fragmentRefs: Bodies = {
  commitNewChildToFragmentInstances: nothing,
  commitFragmentInstanceInsertionEffects: nothing,
  commitFragmentInstanceDeletionEffects: nothing,
  addFragmentHandleToFiber: nothing,
  addFragmentHandleToInstance: nothing,
  commitNewChildToFragmentInstance: nothing,
  deleteChildFromFragmentInstance: nothing,
  FragmentInstance: nothing,
};

/** `<title>`, `<meta>`, `<link>`, `<style>`, `<script>`, `<html>` and `<body>` in the tree; the head is `web/platform/head`'s. */
const documentParts: Bodies = {
  isHostHoistableType: falseBody,
  createHoistableInstance: never,
  getResource: nullBody,
  acquireResource: nullBody,
  preloadStylesheet: nothing,
  insertStylesheet: nothing,
  adoptPreloadPropsForStylesheet: nothing,
  getHydratableHoistableCache: never,
  mountHoistable: nothing,
  preloadResourceAndSuspendIfNeeded: nothing,
  preloadResource: 'return true;',
  suspendResource: nothing,
  insertSuspendedStylesheets: nothing,
  insertStylesheetIntoRoot: nothing,
  preconnectAs: nothing,
  preload: nothing,
  preloadModule: nothing,
  preinitStyle: nothing,
  preinitScript: nothing,
  preinitModuleScript: nothing,
  resolveSingletonInstance: never,
  releaseSingletonInstance: nothing,
  commitHostSingletonAcquisition: nothing,
};

/** Commits that wait for pictures or sheets, which only come with the two above. */
const waitingCommits: Bodies = {
  preloadInstanceAndSuspendIfNeeded: 'workInProgress.flags &= -16777217;',
  accumulateSuspenseyCommitOnFiber: nothing,
  recursivelyAccumulateSuspenseyCommit: nothing,
  suspendInstance: nothing,
  waitForCommitToBeReady: nullBody,
  estimateBandwidth: 'return 1;',
  isLikelyStaticResource: falseBody,
  checkIfFullyUnsuspended: nothing,
};

/** `useActionState`, `useFormStatus` and functions as the action of a form; ours have `onSubmit` ([Note: Forms]). */
const formActions: Bodies = {
  dispatchActionState: never,
  runActionStateAction: never,
  mountActionState: never,
  updateActionState: never,
  updateActionStateImpl: never,
  rerenderActionState: never,
  ensureFormComponentIsStateful: never,
  extractEvents$1: nothing,
  scheduleReplayQueueIfNeeded: nothing,
  startHostTransition: never,
  requestFormReset$1: never,
};

/** `useTransition`, `useOptimistic`, and acts of `startTransition` that are promises; the router's are none. */
const asyncTransitions: Bodies = {
  startTransition: never,
  entangleAsyncAction: never,
  chainThenableValue: never,
  dispatchOptimisticSetState: never,
  updateOptimisticImpl: never,
  queueTransitionTypes: nothing,
};

/** `<Activity>`, and boundaries that are named for being taken over before others. */
const activities: Bodies = {
  updateActivityComponent: never,
  mountActivityChildren: never,
  retryActivityComponentWithoutHydrating: never,
  pushDehydratedActivitySuspenseHandler: never,
  commitActivityHydrationCallbacks: nothing,
  getActivityInstanceFromFiber: nullBody,
  attemptExplicitHydrationTarget: nothing,
};

/**
 * `<SuspenseList>`, custom elements, `onSelect`, `onBeforeInput`, `findDOMNode`, `useImperativeHandle`, the caches of a compiler
 * and of server components, and the browser's sign that a transition of React runs.
 */
const others: Bodies = {
  updateSuspenseListComponent: never,
  initSuspenseListRenderState: never,
  cutOffTailIfNeeded: nothing,
  setPropOnCustomElement: never,
  defaultOnDefaultTransitionIndicator: nothing,
  constructSelectEvent: nothing,
  getFallbackBeforeInputChars: nullBody,
  findCurrentFiberUsingSlowPath: never,
  imperativeHandleEffect: never,
  updateImperativeHandle: never,
  useMemoCache: never,
  refreshCache: never,
};

/**
 * The events that the storefront and the router's links use, by their names in React and in the browser. React listens at the
 * root to all that it knows, twice each; one tap is 16 of those, each of which walks through the tree for nothing.
 */
export const heard = {
  onBlur: 'focusout',
  onChange: 'change',
  onClick: 'click',
  onFocus: 'focusin',
  onInput: 'input',
  onKeyDown: 'keydown',
  onMouseEnter: 'mouseover',
  onMouseLeave: 'mouseout',
  onSubmit: 'submit',
  onTouchStart: 'touchstart',
} as const;
/**
 * Nobody uses these, but they come before a control changes: a part of the page that does not live yet is taken over at the
 * first of them, while its controls still are as the server wrote them. With the next one, React would take what was just
 * typed, pasted or ticked for what had always been there.
 */
const heardBefore = ['compositionstart', 'cut', 'drop', 'paste', 'pointerdown', 'textInput'];
const listeners: Bodies = {
  registerDirectEvent: `
    registrationNameDependencies[registrationName] = dependencies;
    for (const name of dependencies)
      if (${JSON.stringify([...Object.values(heard), ...heardBefore])}.includes(name)) allNativeEvents.add(name);`,
};

/** The names of components in the stack of an error: minified ones tell nobody anything. */
const stacks: Bodies = {
  describeNativeComponentFrame: 'return "";',
  describeFiber: 'return "";',
  getStackByFiberInDevAndProd: 'return "";',
  getComponentNameFromType: nullBody,
};

interface Lean {
  readonly file: RegExp;
  readonly bodies: Bodies;
  /** statements that go, by how they begin */
  readonly statements: readonly string[];
}

const lean: readonly Lean[] = [
  {
    file: /react-dom-client\.production\.js$/,
    bodies: {
      ...viewTransitions,
      ...fragmentRefs,
      ...documentParts,
      ...waitingCommits,
      ...formActions,
      ...asyncTransitions,
      ...activities,
      ...others,
      ...listeners,
      ...stacks,
    },
    statements: ['FragmentInstance.prototype.', 'ReactDOMHydrationRoot.prototype.unstable_scheduleHydration ='],
  },
  {
    file: /react-dom\.production\.js$/,
    bodies: {},
    statements: ['browser', 'preconnect', 'prefetchDNS', 'preinit', 'preinitModule', 'preload', 'preloadModule'].map(
      (name) => `exports.${name} =`,
    ),
  },
  {
    file: /react\.production\.js$/,
    // `Children` and types of transitions
    bodies: { mapIntoArray: never, mapChildren: never, addTransitionType: never },
    statements: ['exports.useActionState =', 'exports.cache ='],
  },
];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface FunctionNode extends Node {
  readonly id: { readonly name: string } | null;
  readonly body: Node;
}

const isFunction = (node: Node): node is FunctionNode => node.type === 'FunctionDeclaration';

/** The source with other bodies. Throws with the names of those that it does not have. */
function leaveOut(code: string, program: readonly Node[], { bodies, statements }: Lean): string {
  const left = new Set([...Object.keys(bodies), ...statements]);
  let rest = '';
  let from = 0;
  for (const node of program) {
    const name = isFunction(node) ? node.id?.name : undefined;
    const statement = statements.find((start) => code.startsWith(start, node.start));
    if (statement !== undefined) {
      left.delete(statement);
      rest += code.slice(from, node.start);
      from = node.end;
    } else if (isFunction(node) && name !== undefined && left.delete(name)) {
      rest += `${code.slice(from, node.body.start)}{${bodies[name] ?? nothing}}`;
      from = node.body.end;
    }
  }
  if (left.size > 0) throw new Error(`React has changed, look again at ${[...left].join(', ')}`);
  return rest + code.slice(from);
}

export function leanReact(): Plugin {
  return {
    name: 'marquee:lean-react',
    apply: 'build',
    transform: {
      filter: { id: /react(-dom)?(-client)?\.production\.js$/ },
      handler(code, id) {
        const found = lean.find(({ file }) => file.test(id));
        if (!found) return undefined;
        if (!code.includes(`"${lookedAt}"`))
          throw new Error(`Look again at what is left out of React: it is not ${lookedAt}`);
        // as: an ESTree program, of which only names and places are read
        const program = this.parse(code).body as unknown as readonly Node[];
        return { code: leaveOut(code, program, found), map: null };
      },
    },
  };
}
