import { useLocation, useNavigate } from '@tanstack/react-router';

/** The questions that unfold below the account, one after the other. */
export type Question = 'code' | 'password';

declare module '@tanstack/react-router' {
  interface HistoryState {
    question?: Question | undefined;
  }
}

/**
 * Which question of a form was unfolded last, and the way to another. Each is an entry in the history, so that Back folds
 * it up again without leaving the page, and what was typed stays in its form; the address is that of the page all along.
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
      // one entry for all that is unfolded: Back from any of it leads to the account
      replace: wanted !== undefined,
      resetScroll: false,
    });
  };
  return [wanted, goTo] as const;
}
