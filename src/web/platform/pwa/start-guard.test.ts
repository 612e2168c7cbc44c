import { reportsDatabase } from '#contract/worker.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFailedEvent } from './start-failed.ts';
import { broken, never, openPage, script } from '#tests/fixtures/guarded-page.ts';

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a page whose scripts do not start', () => {
  it('fetches them again first, and reloads', async () => {
    const page = openPage({ workers: 1 });
    await seconds(9);
    expect(page).toMatchObject({ reloads: 1, unregistered: 0, reports: ['scripts fetched again'] });
    expect(page.state.startRepairs).toBe(1);
  });

  it.each(Object.entries(broken))(
    'removes the service worker, its caches and its queued reports where it gets %s, and reloads',
    async (_what, fetch) => {
      const page = openPage({ fetch, workers: 1 });
      await seconds(45);
      expect(page).toMatchObject({ reloads: 1, unregistered: 1, deleted: ['shell'], reports: ['worker removed'] });
      expect(page.databases).toEqual([reportsDatabase]);
      expect(page.state.startRepairs).toBe(2);
    },
  );

  it('removes the service worker where new scripts have not helped, whatever it answers', async () => {
    for (const fetch of [script, ...Object.values(broken)]) {
      const page = openPage({ fetch, workers: 1, repairs: 1 });
      await seconds(12);
      expect(page).toMatchObject({ reloads: 1, unregistered: 1, reports: ['worker removed'] });
    }
  });

  it.each(Object.entries(broken))('stays readable where it gets %s and there is no worker', async (_what, fetch) => {
    const page = openPage({ fetch });
    await seconds(45);
    expect(page).toMatchObject({ reloads: 0, reports: ['plain page'], dataset: { start: 'failed' } });
  });

  it('keeps the service worker and its caches while the device is offline, and is reloaded once it is online', async () => {
    for (const repairs of [0, 1]) {
      const page = openPage({ fetch: broken['an error of the service worker']!, workers: 1, repairs, offline: true });
      await seconds(9);
      expect(page).toMatchObject({ reloads: 0, unregistered: 0, deleted: [], reports: ['plain page'] });
      page.dispatch('online', {});
      expect(page).toMatchObject({ reloads: 1, unregistered: 0 });
    }
  });

  it('counts a removed worker only where there was one', async () => {
    const page = openPage({ repairs: 1 });
    await seconds(12);
    expect(page).toMatchObject({ reloads: 1, reports: ['scripts fetched again'] });
    expect(page.state.startRepairs).toBe(2);
  });

  it('stays readable after two repairs, and where its storage never answers', async () => {
    const repaired = openPage({ workers: 1, repairs: 2 });
    await seconds(9);
    expect(repaired).toMatchObject({ reloads: 0, reports: ['plain page'] });
    const stuck = openPage({ workers: 1, storage: 'hangs', fetch: () => Promise.reject(new Error('lost')) });
    await seconds(12);
    expect(stuck).toMatchObject({ reloads: 0, reports: ['plain page'] });
  });
});

describe('a page whose scripts run and never draw it', () => {
  it('is repaired after 8 s, up to the plain page', async () => {
    for (const [repairs, report] of [
      [0, 'scripts fetched again'],
      [1, 'worker removed'],
      [2, 'plain page'],
    ] as const) {
      const page = openPage({ workers: 1, repairs });
      page.dataset['start'] = 'running';
      await seconds(12);
      expect(page.reports).toEqual([report]);
    }
  });

  it.each(['nothing', 'late'] as const)(
    'may wait for the API where the server sent %s, as long as calls take',
    async (sent) => {
      const page = openPage({ sent });
      page.dataset['start'] = 'running';
      await seconds(60);
      expect(page.reports).toEqual([]);
      await seconds(12);
      expect(page.reports).toEqual(['scripts fetched again']);
    },
  );

  it('gets the full time limit again once its scripts run, and is not repaired after hydration', async () => {
    const page = openPage();
    await seconds(7);
    page.dataset['start'] = 'running';
    await seconds(7);
    expect(page.reports).toEqual([]);
    page.dataset['hydrated'] = '';
    await seconds(300);
    page.dispatch(startFailedEvent, {});
    expect(page).toMatchObject({ reports: [], reloads: 0 });
  });

  it('is left alone where it is hydrated while its scripts are fetched again', async () => {
    const page = openPage({ fetch: never, workers: 1 });
    page.dataset['start'] = 'running';
    await seconds(9);
    page.dataset['hydrated'] = '';
    await seconds(60);
    expect(page).toMatchObject({ reloads: 0, unregistered: 0, deleted: [], reports: [] });
  });

  it('is not reloaded where it is hydrated after the last repair', async () => {
    const page = openPage({ repairs: 2 });
    page.dataset['start'] = 'running';
    await seconds(9);
    page.dataset['hydrated'] = '';
    page.dispatch('online', {});
    expect(page).toMatchObject({ reloads: 0, reports: ['plain page'] });
  });

  it('is repaired at once where its start reports a failure', async () => {
    const page = openPage();
    page.dataset['start'] = 'running';
    page.dispatch(startFailedEvent, {});
    await seconds(0);
    expect(page.reports).toEqual(['scripts fetched again']);
  });
});

describe('time in which a page is hidden', () => {
  it('does not count while it is hidden, however long that is', async () => {
    const page = openPage();
    page.hidden = true;
    await seconds(600);
    expect(page.reports).toEqual([]);
    page.hidden = false;
    await seconds(7);
    expect(page.reports).toEqual([]);
    await seconds(2);
    expect(page.reports).toEqual(['scripts fetched again']);
  });

  it('does not count while the device sleeps', async () => {
    const page = openPage();
    await seconds(3);
    vi.setSystemTime(Date.now() + 3_600_000);
    await seconds(3);
    expect(page.reports).toEqual([]);
  });

  it('does not reset the limit: a page that is hidden repeatedly is repaired', async () => {
    const page = openPage();
    for (let looks = 0; looks < 6; looks += 1) {
      page.hidden = false;
      await seconds(2);
      page.hidden = true;
      await seconds(2);
    }
    expect(page.reports).toEqual(['scripts fetched again']);
  });

  it('is no progress: a page whose scripts trickle in is repaired after 24 s', async () => {
    const page = openPage();
    for (let second = 0; second < 26; second += 1) {
      page.resources += 1;
      await seconds(1);
    }
    expect(page.reports).toEqual(['scripts fetched again']);
  });
});
