import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/index.ts';
import { variables } from '../../src/config/variables.ts';

const at = (file: string) => new URL(`../../${file}`, import.meta.url);
const text = (file: string) => readFileSync(at(file), 'utf8');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
const guide = text('docs/guides/frontend.md');
const DEFAULTS = readConfig({ IDENTITY: 'simulated-oidc' });
const ports = [DEFAULTS.port, DEFAULTS.identity.kind === 'simulated-oidc' ? DEFAULTS.identity.port : 0];

const unknownCommands = (content: string): string[] =>
  [...content.matchAll(/npm (?:run )?(?!ci\b|rebuild\b)([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !Object.hasOwn(scripts, name));

describe('compose.dev.yaml', () => {
  const { services, volumes } = parse(text('compose.dev.yaml'));
  const { build, environment, network_mode: network, volumes: mounts, ...rest } = services.bff;

  it('builds a Dockerfile that exists, and names the folder of its data', () => {
    expect(existsSync(at(build.dockerfile))).toBe(true);
    expect([mounts, Object.keys(volumes)]).toEqual([['data:/source/.data'], ['data']]);
  });

  it('gives the service variables that it accepts, and no secret', () => {
    expect(Object.keys(environment).filter((name) => !Object.hasOwn(variables.shape, name))).toEqual([]);
    expect(readConfig(environment)).toMatchObject({ deployment: 'development', host: '127.0.0.1' });
    expect([rest.secrets, rest.env_file]).toEqual([undefined, undefined]);
  });

  it('uses the network of the host, because the console answers only on its loopback address', () => {
    expect([network, rest.ports]).toEqual(['host', undefined]);
  });
});

describe('Dockerfile.dev', () => {
  const file = text('Dockerfile.dev');
  const lines = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const ignored = text('Dockerfile.dev.dockerignore').split('\n');

  it('copies files that exist and are not ignored, and runs commands of package.json', () => {
    const copied = lines.flatMap((line) => /^COPY --chown=\S+ (.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
    expect(copied).toContain('package-lock.json');
    expect(copied.filter((one) => !existsSync(at(one)) || ignored.includes(one))).toEqual([]);
    expect(unknownCommands(lines.join('\n'))).toEqual([]);
    expect(JSON.parse(/^CMD (.+)$/m.exec(file)?.[1] ?? '')).toEqual(['npm', 'start']);
  });

  it('copies nothing that git ignores, such as data, logs and the secrets of compose.yaml', () => {
    const inGit = text('.gitignore').trim().split('\n');
    const names = inGit.map((line) =>
      line
        .replace(/\/$/, '')
        .replace(/^\.data$/, '.data*')
        .replace(/^node_modules$/, '**/$&'),
    );
    expect(names).toContain('secrets');
    expect(ignored).toEqual(expect.arrayContaining([...names, '.git']));
  });

  it('runs as another user than root, on the ports of the service and the login page', () => {
    expect(lines).toContain('USER node');
    expect(/^EXPOSE (.+)$/m.exec(file)?.[1]?.split(' ').map(Number)).toEqual(ports);
    expect(
      /^HEALTHCHECK .*127\.0\.0\.1:' \+ \(process\.env\.PORT \|\| (\d+)\) \+ '\/health\/ready/m.exec(file)?.[1],
    ).toBe(String(DEFAULTS.port));
  });
});

describe('the development container of an editor', () => {
  const { postCreateCommand, forwardPorts, portsAttributes } = JSON.parse(text('.devcontainer/devcontainer.json'));

  it('installs the dependencies, and forwards the ports of the service and the login page with the same numbers', () => {
    expect([postCreateCommand, forwardPorts]).toEqual(['npm ci', ports]);
    expect(Object.keys(portsAttributes).map(Number)).toEqual(ports);
  });
});

describe('the recipe for a phone in the guide', () => {
  const [, line = ''] = /^(HOST=0\.0\.0\.0 .+) npm start$/m.exec(guide) ?? [];
  const env = Object.fromEntries(line.split(' ').map((one) => one.split('=', 2) as [string, string]));

  it('is a configuration that the service accepts, with the names and the page of the phone', () => {
    expect(readConfig(env)).toMatchObject({
      host: '0.0.0.0',
      allowedHosts: ['laptop.local', 'localhost', '127.0.0.1'],
      corsOrigins: ['http://laptop.local:5173'],
    });
  });

  it('needs ALLOW_STAND_IN=yes: without it the configuration is refused', () => {
    const { ALLOW_STAND_IN: _, ...without } = env;
    expect(() => readConfig(without)).toThrow(/ALLOW_STAND_IN=yes/);
  });
});
