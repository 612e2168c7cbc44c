import { useLocation, useNavigate } from '@tanstack/react-router';

/** The questions that unfold below the account, one after the other. */
export type Question = 'code' | 'password';

declare module '@tanstack/react-router' {
  interface HistoryState {
    question?: Question | undefined;
  }
}

/**
 * Which question of a form is unfolded, and how to unfold another. Each is a history entry of the same URL, so that
 * Back folds it without leaving the page or clearing the form.
 */
export function useQuestion() {
  const navigate = useNavigate();
  const wanted = useLocation({ select: ({ state }) => state.question });
  const goTo = (question: Question | undefined) => {
    if (question === wanted) return;
    void navigate({
      to: '.',
      search: true,
      state: (state: object) => ({ ...state, question }),
      // one entry for all unfolded questions: Back from any of them leads to the account
      replace: wanted !== undefined,
      resetScroll: false,
    });
  };
  return [wanted, goTo] as const;
}
