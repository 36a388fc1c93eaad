import { createHook } from 'node:async_hooks';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent } from 'undici';
import { expect, it, vi } from 'vitest';
import { sender } from '../../tools/attack/outside.ts';
import { round } from '../../tools/attack/soak/round.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { startService, whenReady } from '../support/service.ts';
import { issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';

const folder = temporaryFolder('statements');

/** A plan that reads all rows of a table that grows with the number of people. */
const WHOLE = /^SCAN (applications|keys|uploads|brieven)\b/;
/** The check whether the store answers: it reads one row. */
const PROBE = 'select "id" from "applications" limit ?';

it('no statement of a request reads a whole table, so that it takes as long with a million rows as with one', async () => {
  const seen = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const key = await signingKey('one');
  const [professionals, staff] = await Promise.all([startIssuer([key]), startIssuer([key])]);
  const service = await startService({
    ...issuerVariables(professionals, staff),
    SUBJECT_KEYS: `${'a'.repeat(32)},${'b'.repeat(32)}`,
    OIDC_STAFF_STEP_UP_ACR: 'hoog',
    RATE_LIMIT_PER_MINUTE: '600',
    DATA_DIR: folder,
  });
  const agent = new Agent();
  try {
    await whenReady(service);
    const writer = (role: string) => professionals.token({ sub: role, roles: [role] });
    await round(
      sender(() => service.url, agent),
      {
        citizen: await professionals.token({ sub: 'sanne-de-wit', bsn: '999990007' }),
        drafter: await writer('drafter'),
        approver: await writer('approver'),
        handler: await staff.token({ sub: 'handler', roles: ['behandelaar'] }),
      },
    );
    const statements = seen.mock.calls
      .map(([sql], index) => ({ sql, file: (seen.mock.contexts[index] as DatabaseSync).location() }))
      .filter(
        ({ sql, file }) =>
          file?.endsWith('zorgregister.sqlite') && /^(select|update|delete)\b/.test(sql) && sql !== PROBE,
      );
    expect(statements.length).toBeGreaterThan(30);
    const db = new DatabaseSync(join(folder, 'zorgregister.sqlite'), { readOnly: true });
    const whole = new Set(
      statements.flatMap(({ sql }) => {
        const plan = db.prepare(`explain query plan ${sql}`).all() as unknown as { detail: string }[];
        return plan.filter(({ detail }) => WHOLE.test(detail)).map(({ detail }) => `${detail}: ${sql}`);
      }),
    );
    db.close();
    expect([...whole]).toEqual([]);
  } finally {
    seen.mockRestore();
    await agent.destroy();
    await Promise.all([service.close(), professionals.close(), staff.close()]);
  }
});

it('opens no file to answer a read, also not for the pages of the simulator', async () => {
  const service = await startService();
  const read = async () => {
    for (const path of ['dashboard-view', 'notes', 'brp/address', 'duo/diplomas', 'intake/policy', 'applications'])
      expect((await service.get(`/api/v1/${path}`, { as: 'sanne-de-wit' })).status).toBe(200);
  };
  let opened = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'FILEHANDLE') opened += 1;
    },
  });
  try {
    await read();
    hook.enable();
    await read();
  } finally {
    hook.disable();
    await service.close();
  }
  expect(opened).toBe(0);
});
