import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepUpSwitchedOff } from '../../src/auth/step-up.ts';
import { controlOf } from '../../test/support/control.ts';
import { PAGES } from '../../test/support/pages.ts';
import { startService, type TestService } from '../../test/support/service.ts';
import { openBrowser } from './support/browser.ts';
import { horizontalOverflow } from './support/console.ts';
import { findings } from './support/mijn.ts';
import { openWindow } from './support/page.ts';

let service: TestService;
let browser: Browser;
let portal: Server;
let page: Page;
let issuer: string;

/** Returns the page in the guide, with the addresses of this test. */
function pageOfGuide(issuer: string): string {
  const guide = PAGES.find(({ path }) => path === 'docs/guides/login.md')?.text ?? '';
  const [, html = ''] = /```html\n([\s\S]*?)```/.exec(guide) ?? [];
  return html
    .replace('http://127.0.0.1:4020/professionals', issuer)
    .replace('http://127.0.0.1:3000/api', `${service.url}/api`);
}

beforeAll(async () => {
  [service, browser] = await Promise.all([
    startService({ IDENTITY: 'simulated-oidc', OIDC_SIMULATED_PORT: '0' }),
    openBrowser(),
  ]);
  [issuer = ''] = /http:\S+\/professionals/.exec(service.identity) ?? [];
  const html = pageOfGuide(issuer);
  portal = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const context = await openWindow(browser);
  page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
});
afterAll(async () => {
  await browser?.close();
  portal?.close();
  await service?.close();
});
const errors: string[] = [];

const says = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the page of the guide', () => {
  it('logs in at an accessible page of 320 pixels wide, refreshes its tokens, shows the whole register number after a step-up, and logs out', async () => {
    await page.goto(`http://localhost:${(portal.address() as AddressInfo).port}/portaal`);
    await says('Niet ingelogd');
    await press('Inloggen');
    await page.getByRole('heading', { name: 'Inloggen als burger' }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    expect([await horizontalOverflow(page), await findings(page)]).toEqual([0, []]);
    await press('Sanne de Wit');
    await says(/Sanne de Wit, \*+30$/);
    await press('Vernieuwen');
    await says('Vernieuwd');
    await press('Toon registernummer');
    await page.getByText('U bent al ingelogd als Sanne de Wit').waitFor();
    await press('Sanne de Wit');
    await says(/Sanne de Wit, \*+30$/);
    await press('Toon registernummer');
    await says('Sanne de Wit, 90000010130');
    await press('Uitloggen');
    await page.getByRole('heading', { name: 'Uitloggen' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await press('Ja, uitloggen');
    await says('Niet ingelogd');
    expect(errors).toEqual([]);
  });

  it('says why the register number stays hidden, instead of logging in again, when a login for the step-up changed nothing or it is switched off', async () => {
    const world = controlOf(service).in('default');
    await world.put('/scenarios/step-up-refused');
    await page.goto(`http://localhost:${(portal.address() as AddressInfo).port}/portaal`);
    await press('Inloggen');
    await press('Sanne de Wit');
    await says(/Sanne de Wit, \*+30$/);
    await press('Toon registernummer');
    await press('Sanne de Wit');
    await says(/Sanne de Wit, \*+30$/);
    await press('Toon registernummer');
    await says('Log opnieuw in met een sterk inlogmiddel om het registratienummer te zien.');
    await world.delete('/scenarios/step-up-refused');
    await press('Toon registernummer');
    await says('Sanne de Wit, 90000010130');

    const { detail } = stepUpSwitchedOff();
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('**/dashboard-view', (route) =>
      route.request().headers()['x-step-up']
        ? route.fulfill({ status: 403, headers, json: { detail } })
        : route.continue(),
    );
    await press('Toon registernummer');
    await says(detail);
    await page.unroute('**/dashboard-view');
    await press('Uitloggen');
    await press('Ja, uitloggen');
    await says('Niet ingelogd');
    expect(errors).toEqual([]);
  });

  it('logs in the person in the field, not the first of the list, when Enter is pressed there', async () => {
    await page.goto(`http://localhost:${(portal.address() as AddressInfo).port}/portaal`);
    await press('Inloggen');
    const world = page.getByLabel('Wereld van de simulator');
    const other = page.getByLabel('Naam van een verzonnen burger');
    await world.fill('Enter');
    await world.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Kies wie u bent.' }).waitFor();
    await page.getByLabel('Betrouwbaarheidsniveau').selectOption({ index: 1 });
    await other.fill('burger-0');
    await other.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Deze persoon is er niet.' }).waitFor();
    expect([await world.inputValue(), await other.inputValue()]).toEqual(['Enter', 'burger-0']);
    expect(await page.getByLabel('Betrouwbaarheidsniveau').inputValue()).toBe(
      await page.getByRole('option').nth(1).getAttribute('value'),
    );
    await world.fill('enter');
    await other.fill('burger-12');
    await other.press('Enter');
    await says(/^Lisa Boer, \*+30$/);
    await press('Uitloggen');
    await press('Ja, uitloggen');
    await says('Niet ingelogd');
  });

  it('starts with the world and the generated citizen of login_hint', async () => {
    const query = new URLSearchParams({
      client_id: 'portal',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://localhost:1/portaal',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      login_hint: 'burger-12@hint',
    });
    await page.goto(`${issuer}/auth?${query}`);
    expect(await page.getByLabel('Wereld van de simulator').inputValue()).toBe('hint');
    expect(await page.getByLabel('Naam van een verzonnen burger').inputValue()).toBe('burger-12');
  });
});
