import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { exportData, exportReceipts } from '#contract/my-data.ts';
import { ConfirmHere } from '#web/domain/auth/lazy-confirm-owner.tsx';
import { InAppNotice } from '#web/domain/auth/google-button.tsx';
import { canSaveFiles, saveFile } from '#web/platform/pwa/save-file.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Download as DownloadIcon, ReceiptText } from '#web/ui/icon.tsx';
import styles from './my-data.module.css';
import { useApiMutation, type Outcome as ApiOutcome } from '#web/platform/form/use-api-mutation.ts';

type What = 'data' | 'receipts';
type Outcome = 'saved' | 'none';

const tooOften = localizedMessage(msg`You’ve downloaded this too often today. Try again tomorrow.`);

/** All data as one file, or the receipts as one archive; each confirms the owner. */
export function Download() {
  const [open, setOpen] = useState<What>();
  const [outcome, setOutcome] = useState<Outcome>();
  const begin = (what: What) => {
    setOutcome(undefined);
    setOpen(what);
  };
  const downloads = useDownloads((how) => {
    setOutcome(how);
    setOpen(undefined);
  });
  return (
    <Card as="section" aria-labelledby="download">
      <h2 className={styles.heading} id="download">
        <Trans>Download</Trans>
      </h2>
      <Intro />
      <div role="status">{outcome ? <DownloadMessage outcome={outcome} /> : null}</div>
      {open ? (
        <div className={styles.confirm} key={open}>
          <ConfirmHere
            purpose="data"
            label={open === 'data' ? <Trans>Download my data</Trans> : <Trans>Download my receipts</Trans>}
            onConfirmed={downloads[open]}
            onCancel={() => setOpen(undefined)}
          />
        </div>
      ) : canSaveFiles() ? (
        <DownloadButtons onBegin={begin} />
      ) : (
        <InAppNotice missing="download" />
      )}
    </Card>
  );
}

/** Each resolves to an error, or to nothing once the file is saved. */
function useDownloads(onSaved: (how: Outcome) => void) {
  const errors = { tooFrequent: () => tooOften };
  const all = useApiMutation(exportData, {
    onSuccess: (found) => {
      saveFile('my-data.json', new Blob([JSON.stringify(found, null, 2)], { type: 'application/json' }));
      onSaved('saved');
    },
    errors,
  });
  const pages = useApiMutation(exportReceipts, { errors });
  return {
    data: async (confirmation: string) => (await all.send({ body: { confirmation } })).refusal,
    receipts: async (confirmation: string) => {
      const { how, refusal } = await packReceipts((after) =>
        pages.send({ body: { confirmation, language: activeLanguage(), after } }),
      );
      if (how) onSaved(how);
      return refusal;
    },
  };
}

function Intro() {
  return (
    <p className={styles.soft}>
      <Trans>
        Everything we store about you in one machine-readable file, or all receipts as printable pages in your language.
      </Trans>
    </p>
  );
}

function DownloadButtons({ onBegin }: { onBegin: (what: What) => void }) {
  return (
    <div className={styles.acts}>
      <Button variant="secondary" onClick={() => onBegin('data')}>
        <DownloadIcon aria-hidden />
        <Trans>My data (JSON)</Trans>
      </Button>
      <Button variant="secondary" onClick={() => onBegin('receipts')}>
        <ReceiptText aria-hidden />
        <Trans>My receipts (ZIP)</Trans>
      </Button>
    </div>
  );
}

function DownloadMessage({ outcome }: { outcome: Outcome }) {
  return outcome === 'saved' ? (
    <Alert tone="success">
      <Trans>
        Your browser has the file. Look in its downloads; if it’s not there, try another browser. Keep it where no one
        else can read it.
      </Trans>
    </Alert>
  ) : (
    <Alert tone="info">
      <Trans>You have no receipts yet.</Trans>
    </Alert>
  );
}

type Page = ApiOutcome<typeof exportReceipts>;

/** The archive is filled page by page, so that neither side has all receipts in memory as text. */
async function packReceipts(
  nextPage: (after: string | null) => Promise<Page>,
): Promise<{ how?: Outcome; refusal?: Page['refusal'] }> {
  const { Zip, ZipDeflate, strToU8 } = await import('fflate');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((_, part) => void parts.push(part));
  let after: string | null = null;
  let count = 0;
  do {
    const { result, refusal }: Page = await nextPage(after);
    if (!result) return { refusal };
    for (const { name, html } of result.receipts) {
      const file = new ZipDeflate(name, { level: 6 });
      zip.add(file);
      file.push(strToU8(html), true);
      count += 1;
    }
    after = result.next;
  } while (after !== null);
  if (count === 0) return { how: 'none' };
  zip.end();
  saveFile('receipts.zip', new Blob(parts, { type: 'application/zip' }));
  return { how: 'saved' };
}
