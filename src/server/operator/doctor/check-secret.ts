import type { Database } from '#server/db/connect.ts';
import { compareSigningSecret, SigningSecretMismatch } from '#server/db/signing-check.ts';
import type { Settings } from '#server/env.ts';
import { note, ok, wrong, type Finding } from './finding.ts';

const what = 'signing secret';

/** Whether a process with these settings could start alongside the others. */
export async function checkSecret(settings: Settings, db: Database): Promise<Finding[]> {
  const { DATABASE_URL, SIGNING_SECRET } = settings;
  if (DATABASE_URL === undefined || SIGNING_SECRET === undefined) return [];
  const found = await compareSigningSecret(db, { SIGNING_SECRET });
  if (found === 'unknown') return [note(what, 'is recorded by the first start')];
  return [
    found === 'same' ? ok(what, 'is the one of this database') : wrong(what, new SigningSecretMismatch().message),
  ];
}
