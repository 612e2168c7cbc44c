/** What a proxy says while the server behind it is away: as good as no network, for whoever only reads. */
const serverAway = new Set([502, 503, 504]);

interface AnswerLike {
  readonly status: number;
  readonly redirected: boolean;
  readonly headers: { get(name: string): string | null };
}

/** Whether no server of ours has answered. */
export const isAway = (answer: Pick<AnswerLike, 'status'>): boolean => serverAway.has(answer.status);

/** Whether it can be an answer of our API, and not the login page of a Wi-Fi in its place. */
export const isOfApi = (answer: AnswerLike): boolean =>
  !isAway(answer) && !answer.redirected && /^application\/(?:[\w.-]+\+)?json\b/i.test(typeOf(answer));

/** Whether it is a picture and nothing else: whole, from where it was asked for, and called one. */
export const isPicture = (answer: AnswerLike): boolean =>
  answer.status === 200 && !answer.redirected && /^image\//i.test(typeOf(answer));

const typeOf = ({ headers }: Pick<AnswerLike, 'headers'>): string => headers.get('content-type') ?? '';
