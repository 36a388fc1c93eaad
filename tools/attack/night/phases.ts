/** The failures of the attack `night`, except those of certificates and of the disk of PostgreSQL. */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import type { TestIssuer } from '../../../test/support/upstreams/issuer.ts';
import { type ScriptedServer, sendJson } from '../../../test/support/upstreams/scripted-server.ts';
import type { TcpProxy } from '../../../test/support/upstreams/tcp-proxy.ts';
import type { Instance } from './balancer.ts';
import type { Brp } from './brp.ts';
import type { Phase } from './report.ts';

/** Returns the phases in which the database, an upstream, the issuer or the disk of the processing log fails. */
export function partsFail(parts: {
  readonly database: TcpProxy;
  readonly brp: Brp;
  readonly register: ScriptedServer;
  readonly issuer: TestIssuer;
  readonly processingLog: string;
}): Phase[] {
  const { database, brp, register, issuer, processingLog } = parts;
  const [registerAnswer, issuerAnswer] = [register.answer, issuer.answer];
  return [
    ...[1, 10, 60].map((seconds) => ({
      name: `database refuses for ${seconds} s`,
      seconds,
      takes: 'store' as const,
      begin: () => database.cut(),
      end: () => database.restore(),
    })),
    {
      name: 'database silent for 10 s',
      seconds: 10,
      takes: 'store',
      begin: () => database.silence(),
      // Connections that lost data would wait for ever: resets them, as a network that is back does.
      end: () => {
        database.cut();
        database.restore();
      },
    },
    { name: 'BRP takes 2 s', seconds: 10, takes: 'brp', begin: () => brp.slow(2_000), end: () => brp.slow(0) },
    {
      name: 'register never answers',
      seconds: 10,
      takes: 'register',
      begin: () => answersBy(register, () => undefined),
      end: () => answersBy(register, registerAnswer),
    },
    {
      name: 'issuer answers 503',
      seconds: 10,
      takes: null,
      begin: () => answersBy(issuer, (_, response) => sendJson(response, {}, 503)),
      end: () => answersBy(issuer, issuerAnswer),
    },
    {
      name: 'disk of the processing log full',
      seconds: 10,
      takes: null,
      begin: () => {
        renameSync(processingLog, `${processingLog}.old`);
        symlinkSync('/dev/full', processingLog);
      },
      end: () => rmSync(processingLog),
    },
  ];
}

const answersBy = (server: ScriptedServer, answer: ScriptedServer['answer']): void => {
  server.answer = answer;
};

/** Returns the phases in which an instance has a wrong clock, is replaced, or is killed. */
export function instancesChange(given: {
  readonly instances: Instance[];
  readonly startOne: (more?: Record<string, string>) => Promise<void>;
  readonly look: () => Promise<unknown>;
  readonly secret: (name: string, content: string) => string;
}): Phase[] {
  const { instances, startOne, look, secret } = given;
  const clockOff = (name: string, seconds: number): Phase => ({
    name,
    seconds: 10,
    takes: null,
    begin: async () => {
      const clock = secret(`clock${seconds}.mjs`, clockOffBy(seconds));
      await startOne({ NODE_OPTIONS: `--import=${clock}` });
      await look();
    },
    end: () => instances.pop()?.child.kill('SIGTERM'),
  });
  const ends = (name: string, index: number, signal: 'SIGTERM' | 'SIGKILL'): Phase => ({
    name,
    seconds: 10,
    takes: null,
    begin: async () => {
      await startOne();
      await look();
      instances[index]?.child.kill(signal);
    },
  });
  return [
    clockOff('clock of an instance 45 s ahead', 45),
    clockOff('clock of an instance 45 s behind', -45),
    ends('instance replaced (SIGTERM)', 0, 'SIGTERM'),
    ends('instance killed (SIGKILL)', 1, 'SIGKILL'),
  ];
}

/** Returns the text of a module that sets the clock of a process this number of seconds ahead. */
const clockOffBy = (seconds: number): string => `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length > 0 ? given : [Real.now() + ${seconds * 1_000}])); }
  static now() { return Real.now() + ${seconds * 1_000}; }
};
`;
