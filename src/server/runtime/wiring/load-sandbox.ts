import type { Sandbox } from './sandbox.ts';

/** The one place that loads `src/sandbox`: where SANDBOX is on, and for commands that read the demo brands. */
export async function loadSandbox(): Promise<Sandbox> {
  const { sandbox } = await import('#sandbox/sandbox.ts');
  return sandbox;
}
