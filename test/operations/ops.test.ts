import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createMetrics } from '../../adapters/metrics/index.ts';
import { SECRET_FILES } from '../../src/config/variable-names.ts';
import { variables } from '../../src/config/variables.ts';
import { PROBLEMS } from '../../src/problem-codes.ts';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const runbook = text('docs/guides/runbook.md');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook: string };
}
const rules = (parse(text('ops/prometheus/rules.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const alerts = rules.filter((rule) => rule.alert !== undefined);
const dashboard = JSON.parse(text('ops/grafana/dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** Returns the names and labels of all metrics, from the registry that `/metrics` writes. */
async function known(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics({
    upstreams: () => [],
    load: () => ({ underway: 0, delay: 0 }),
    health: async () => ({ ready: true, degraded: [], storeAwaySeconds: 0, storePingSeconds: 0 }),
    processingLog: () => ({ waiting: 0, oldest: 0, isFailing: false }),
    pool: () => ({ idle: 0, busy: 0, waiting: 0 }),
    certificates: [],
    version: '1',
    build: null,
    connections: () => null,
  });
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\w+)$/gm)];
  const names = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['count', 'sum', 'bucket'].map((part) => `${name}_${part}`) : [name],
  );
  return new Set([...names, ...rules.flatMap(({ record }) => record ?? [])]);
}

/** Matches a metric in PromQL: a name with an underscore or a colon that is no function and no label. */
const NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9_:]+)+\b(?!\s*\()/g;
const namesIn = (expr: string): string[] =>
  expr.replaceAll(/\{[^}]*\}|\b(by|without) \([^)]*\)/g, '').match(NAME) ?? [];

describe('the rules of Prometheus and the dashboard of Grafana', () => {
  it('name only metrics that the service has', async () => {
    const all = await known();
    const named = expressions.flatMap(namesIn);
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !all.has(name))).toEqual([]);
  });

  it('read only metrics of the job of this service', () => {
    for (const expr of expressions) {
      const selectors = [...expr.matchAll(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+(\{[^}]*\}|\[)/g)];
      for (const [selector] of selectors)
        if (!selector.startsWith('ratio_')) expect(selector, expr).toContain('{job="zorgregister-bff"');
      expect(selectors.length > 0 || expr.includes('zorgregister_bff:'), expr).toBe(true);
    }
  });

  it('name only problem codes that exist', () => {
    const codes = expressions.flatMap((expr) => [...expr.matchAll(/code="([^"]+)"/g)].map(([, code = '']) => code));
    expect(codes.length).toBeGreaterThan(2);
    expect(codes.filter((code) => !Object.hasOwn(PROBLEMS, code))).toEqual([]);
  });

  it.skipIf(!hasPromtool)('are accepted by promtool check rules, where it is installed', () => {
    const file = fileURLToPath(new URL('../../ops/prometheus/rules.yaml', import.meta.url));
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('have a severity, a duration and a summary, and expressions with balanced brackets', () => {
    for (const expr of expressions) {
      for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair]))
        expect(expr.split(open ?? '').length, expr).toBe(expr.split(close ?? '').length);
    }
    for (const { alert, labels, annotations, for: lasting } of alerts) {
      expect(['page', 'ticket'], alert).toContain(labels?.severity);
      expect(lasting, alert).toMatch(/^\d+[smh]$/);
      expect(annotations?.summary, alert).toMatch(/^[A-Z].+\.$/);
    }
  });
});

describe('the runbook', () => {
  it('has an entry for exactly the alerts, and each alert links to its entry', () => {
    const entries = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
    expect(entries.sort()).toEqual(alerts.map(({ alert = '' }) => alert).sort());
    for (const { alert = '', annotations } of alerts)
      expect(annotations?.runbook).toBe(`docs/guides/runbook.md#${alert.toLowerCase()}`);
  });

  it('explains every reason that the service writes in its log', () => {
    const oidc = readdirSync(new URL('../../adapters/oidc', import.meta.url)).map((file) =>
      text(`adapters/oidc/${file}`),
    );
    const tokens = oidc.flatMap((source) => [
      ...[...source.matchAll(/TokenRefused\('([^']+)'[,)]/g)].map(([, reason = '']) => reason),
      ...(/REPORTED_CLAIMS = \[(.+)\]/.exec(source)?.[1]?.match(/\w+/g) ?? []),
      ...[...source.matchAll(/(?:return|\?\?|:) '(expired|claims|unreadable)'/g)].map(([, reason = '']) => reason),
    ]);
    const store = [...text('adapters/store/index.ts').matchAll(/^ {2}'?[\dP]+'?: '(.+)',$/gm)].map(
      ([, reason = '']) => reason,
    );
    expect([tokens.length > 20, store.length]).toEqual([true, 17]);
    const explained = [...runbook.matchAll(/^\| `([^`]+)` \|/gm)].map(([, reason]) => reason);
    expect([...new Set([...tokens, ...store])].filter((reason) => !explained.includes(reason))).toEqual([]);
    const starts = [
      'no connection to the database (',
      'no room for a temporary file: ',
      'what reads a JSON body cannot be loaded: ',
    ];
    for (const start of starts) expect(explained.filter((reason) => reason?.startsWith(start))).toHaveLength(1);
  });
});

describe('the manifests for Kubernetes', () => {
  const folder = 'ops/kubernetes';
  const { resources } = parse(text(`${folder}/kustomization.yaml`)) as { resources: string[] };
  // biome-ignore lint/suspicious/noExplicitAny: a manifest has no type until a test looks at it
  const manifests: any[] = resources.flatMap((file) =>
    parseAllDocuments(text(`${folder}/${file}`)).map((document) => document.toJS()),
  );
  const of = (kind: string) => manifests.find((one) => one.kind === kind);
  const pod = of('Deployment').spec.template.spec;
  const settings = Object.fromEntries(
    text(`${folder}/settings.env`)
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );

  it('are all listed in the kustomization, which lists nothing else', () => {
    const files = readdirSync(new URL(`../../${folder}`, import.meta.url)).filter((file) => file.endsWith('.yaml'));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
    expect(existsSync(new URL(`../../${folder}/settings.env`, import.meta.url))).toBe(true);
  });

  it('set only variables that exist, and secrets only as files', () => {
    const names = [...Object.keys(variables.shape), ...SECRET_FILES];
    expect(Object.keys(settings).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(settings).filter((name) => /(KEY|SECRET|DATABASE_URL)$/.test(name))).toEqual([]);
  });

  it('run every container without root, capabilities and a writable file system, with limits', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const container of [...pod.initContainers, ...pod.containers]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.requests).toMatchObject({ cpu: expect.any(String), memory: expect.any(String) });
      expect(container.resources.limits.memory).toBe('512Mi');
    }
  });

  it('probe paths that exist, on the port of management, and give the process time to stop', () => {
    const [container] = pod.containers;
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: 'management' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'management' });
    const ports = Object.fromEntries(
      container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort]),
    );
    expect(ports).toEqual({ http: Number(settings.PORT), management: Number(settings.MANAGEMENT_PORT) });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('select the same pods in all manifests, and allow one instance to be unavailable', () => {
    const label = { 'app.kubernetes.io/name': 'zorgregister-bff' };
    const { spec } = of('Deployment');
    expect(spec.selector.matchLabels).toEqual(label);
    expect(of('Service').spec.selector).toEqual(label);
    expect(of('NetworkPolicy').spec.podSelector.matchLabels).toEqual(label);
    expect(of('PodDisruptionBudget').spec).toEqual({
      minAvailable: spec.replicas - 1,
      selector: { matchLabels: label },
    });
  });
});
