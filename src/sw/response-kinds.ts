/** Statuses of a proxy while the server is down: treated like a network failure for reads. */
const serverAway = new Set([502, 503, 504]);

interface AnswerLike {
  readonly status: number;
  readonly redirected: boolean;
  readonly headers: { get(name: string): string | null };
}

/** Whether the answer is a proxy's, not the server's. */
export const isGatewayError = (answer: Pick<AnswerLike, 'status'>): boolean => serverAway.has(answer.status);

/** Whether it can be an answer of the API, and not the login page of a Wi-Fi (captive portal). */
export const isApiAnswer = (answer: AnswerLike): boolean =>
  !isGatewayError(answer) && !answer.redirected && /^application\/(?:[\w.-]+\+)?json\b/i.test(typeOf(answer));

/** Whether it is a complete picture from the requested URL. */
export const isPicture = (answer: AnswerLike): boolean =>
  answer.status === 200 && !answer.redirected && /^image\//i.test(typeOf(answer));

const typeOf = ({ headers }: Pick<AnswerLike, 'headers'>): string => headers.get('content-type') ?? '';
