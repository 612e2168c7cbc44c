/** Counts a login or a sign-up, without holding it up. */
export function noteEntrance(content: 'login' | 'register'): void {
  import('../../analytics/events.ts').then(
    ({ track }) => track(content, content, { login_type: 'password' }),
    (error: unknown) => console.info('The entrance was not counted.', error),
  );
}
