import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { addServerMetrics } from '#server/http/mount-health.ts';
import { addGauge } from '#server/runtime/gauge.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

const folder = join(root, '.deploy/monitoring');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Debian: `apt-get install --no-install-recommends prometheus` */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Debian: `apt-get install --no-install-recommends prometheus-alertmanager` */
const hasAmtool = spawnSync('amtool', ['--version']).status === 0;

const dashboardSchema = v.object({
  panels: v.array(v.object({ title: v.string(), targets: v.array(v.object({ expr: v.string() })) })),
});

describe('the monitoring files', () => {
  let shop: TestApp;
  let names: Set<string>;
  beforeAll(async () => {
    shop = await testApp();
    addServerMetrics(shop.deps);
    // of a pool, which the embedded database has not
    addGauge(shop.deps.metrics, { name: 'db_pool_connections', help: 'of a pool', label: 'state' }, () => ({}));
    names = new Set(shop.deps.metrics.registry.getMetricsAsArray().map(({ name }) => name));
  });
  afterAll(() => shop.close());

  /** Names in an expression that look like metrics, without the suffixes of histograms. */
  const metricsIn = (expression: string) =>
    (expression.match(/\b[a-z]+(?:_[a-z]+)+(?=[{[\s)]|$)/g) ?? [])
      .filter((name) => /_(?:total|seconds|bucket|connections|due|bytes|expiry)$/.test(name))
      .map((name) => name.replace(/_bucket$/, ''));

  const ofOthers = new Set(['probe_ssl_earliest_cert_expiry']);

  it('use metrics that the server has', () => {
    const { panels } = v.parse(dashboardSchema, JSON.parse(read('dashboard.json')));
    const expressions = [read('alerts.yml'), ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
    const used = new Set(expressions.flatMap(metricsIn));
    expect(used.size).toBeGreaterThan(15);
    expect([...used].filter((name) => !names.has(name) && !ofOthers.has(name))).toEqual([]);
  });

  it('are documented: each metric of ours, and each alert', () => {
    const guide = readFileSync(join(root, 'src/server/docs/monitoring.md'), 'utf8');
    const own = [...names].filter((name) => !/^(process|nodejs)_/.test(name));
    expect(own.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
    const alerts = Array.from(read('alerts.yml').matchAll(/- alert: (\w+)/g), ([, name = '']) => name);
    expect(alerts.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  it.skipIf(!hasAmtool)('are accepted by Alertmanager, which sends each severity to its own people', () => {
    const file = join(folder, 'alertmanager.yml');
    const amtool = (...args: string[]) => execFileSync('amtool', args, { encoding: 'utf8', stdio: 'pipe' });
    expect(amtool('check-config', file)).toContain('SUCCESS');
    const receiverOf = (severity: string) =>
      amtool('config', 'routes', 'test', `--config.file=${file}`, `severity=${severity}`).trim();
    const named = read('alerts.yml').matchAll(/severity: (\w+)/g);
    const severities = [...new Set(Array.from(named, ([, name = '']) => name))];
    expect(Object.fromEntries(severities.map((name) => [name, receiverOf(name)]))).toEqual({
      critical: 'on-call',
      warning: 'operations',
    });
    expect(read('prometheus.yml')).toContain('alertmanagers:');
  });

  it.skipIf(!hasPromtool)('are accepted by Prometheus, and raise each alert in its situation', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'marquee-monitoring-'));
    try {
      for (const name of ['alerts.yml', 'alerts.test.yml', 'prometheus.yml'])
        copyFileSync(join(folder, name), join(scratch, name));
      writeFileSync(join(scratch, 'metrics-token'), 'a-token');
      const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: scratch, encoding: 'utf8' });
      expect(promtool('check', 'config', 'prometheus.yml')).toContain('rules found');
      expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
      const tested = new Set(Array.from(read('alerts.test.yml').matchAll(/alertname: (\w+)/g), ([, name]) => name));
      const all = Array.from(read('alerts.yml').matchAll(/- alert: (\w+)/g), ([, name]) => name);
      expect(all.filter((name) => !tested.has(name))).toEqual([]);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});
