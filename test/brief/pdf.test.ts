import { createServer } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type AppDeps, createApp } from '../../src/app.ts';
import { createLoadMonitor } from '../../src/http/middleware/load.ts';
import { TIMING } from '../../src/ports/timing.ts';
import { createLetterClient } from '../support/letter.ts';
import { useService } from '../support/service.ts';
import { listen } from '../support/upstreams/scripted-server.ts';

const service = await useService();

describe('GET /brief/pdf', () => {
  const pdfOf = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${service.url}${path}`, { headers });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };

  it('returns the PDF that the addressee gets, to an approver too, with the complete text of the letter, and 403 to staff without a role for letters', async () => {
    const letter = createLetterClient(service);
    const staff = {
      authorization: 'Bearer test',
      'x-subject': `approver-anna@${letter.world}`,
      'x-role': 'approver',
      'x-step-up': '1',
    };
    await letter.bringTo('approved');
    const approved = await pdfOf('/api/v1/brief/pdf', staff);
    expect(approved).toMatchObject({ status: 200, type: 'application/pdf' });
    expect((await letter.post('anna', 'send')).status).toBe(200);
    const sent = await pdfOf('/api/v1/brief/pdf', staff);
    const post = `/_simulator/worlds/${letter.world}/post/lotte-van-dijk`;
    const received = await pdfOf(`${post}/brief-HER-2026-000118-1/pdf`, {});
    expect(received.status).toBe(200);
    expect(sent.bytes.equals(received.bytes)).toBe(true);
    // The date and the signature are added, and the note that it was not sent is left out.
    expect(sent.bytes.equals(approved.bytes)).toBe(false);
    const text = await (await fetch(`${service.url}${post}/brief-HER-2026-000118-1/text`)).text();
    expect(text).toBe(`Zorgregister
Postbus 100
2500 AA ’s‑Gravenhage
Contactpersoon S. Bakker
Telefoon 070 000 00 00
www.zorgregister.example

L. van Dijk
Kleine Houtweg 27 RD
2012 CB  HAARLEM

Datum: 1 juni 2026
Ons kenmerk: HER-2026-000118
Registratienummer: 90000011130

Onderwerp: Besluit op uw aanvraag om herregistratie als verpleegkundige

Geachte mevrouw Van Dijk,

Op 20 mei 2026 hebt u herregistratie aangevraagd als verpleegkundige. In deze brief leest u ons besluit.

Wij wijzen uw aanvraag toe. Uw registratie als verpleegkundige is opnieuw vijf jaar geldig. De vijf jaar beginnen op de datum van deze brief.

Wij nemen dit besluit op grond van artikel 8 van de Wet op de beroepen in de individuele gezondheidszorg (Wet BIG) en het Besluit periodieke registratie Wet BIG.

Waarom hebben wij dit besloten?

Voor herregistratie moet u genoeg hebben gewerkt in uw beroep. De norm voor uw beroep is 2.080 uur in de vijf jaar vóór uw aanvraag. Dat staat in het Besluit periodieke registratie Wet BIG.

U hebt opgegeven dat u 2.412 uur hebt gewerkt. Wij hebben gekeken naar deze periode: 1 juni 2022 tot 1 mei 2026. Uw uren in die periode tellen mee. U haalt de norm. Daarom voldoet u aan de eisen voor herregistratie.

Wat betekent dit voor u?

Uw nieuwe uiterste herregistratiedatum is 1 juni 2031. Vraag uiterlijk op die dag opnieuw herregistratie aan. Ongeveer zes maanden voor die datum krijgt u van ons een oproep.

Bent u het niet eens met dit besluit?

Dan kunt u bezwaar maken. U hebt daarvoor zes weken de tijd. Die zes weken beginnen op de dag nadat wij deze brief hebben verzonden. De datum van verzending staat boven aan deze brief.

U kunt uw bezwaar per post of digitaal sturen:

- per post: Minister van Volksgezondheid, Welzijn en Sport, Zorgregister, afdeling Bezwaar, Postbus 100, 2500 AA ’s‑Gravenhage;
- digitaal: ga naar www.zorgregister.example/bezwaar en log in met DigiD of met een erkend Europees inlogmiddel.

Zet in uw bezwaar:

- uw naam en adres;
- de datum waarop u uw bezwaar schrijft;
- om welk besluit het gaat: noem ons kenmerk HER-2026-000118 en de datum van deze brief;
- waarom u het niet eens bent met het besluit;
- uw handtekening. Bij een digitaal bezwaar hoeft dat niet.

Stuur een kopie van deze brief mee als dat kan.

Uw bezwaar houdt het besluit niet tegen. Het besluit blijft gelden totdat wij op uw bezwaar hebben beslist. Kunt u daar niet op wachten? Als u bezwaar hebt gemaakt, kunt u de voorzieningenrechter van de rechtbank vragen om een tijdelijke maatregel (een voorlopige voorziening).

Dit staat in hoofdstuk 6 en in artikel 8:81 van de Algemene wet bestuursrecht (Awb).

Hebt u vragen?

Bel ons op 070 000 00 00, op werkdagen van 9.00 tot 17.00 uur. Of kijk op www.zorgregister.example. Houd ons kenmerk bij de hand: HER-2026-000118.

Hoogachtend,

De minister van Volksgezondheid, Welzijn en Sport,
namens deze,

M.J. van der Linden
Hoofd Registratie, Zorgregister

Deze brief is elektronisch ondertekend. Daarom staat er geen handtekening onder.`);
    const other = {
      authorization: 'Bearer x',
      'x-medewerker': `behandelaar-bas@${letter.world}`,
      'x-rollen': 'beheerder',
    };
    expect((await pdfOf('/api/v1/brief/pdf', other)).status).toBe(403);
  });

  it('answers a caller without identity with 401, and a POST with 405', async () => {
    expect((await service.get('/api/v1/brief/pdf')).status).toBe(401);
    expect((await service.call('POST', '/api/v1/brief/pdf', { as: 'sanne-de-wit' })).status).toBe(405);
  });

  it('is answered with 404 in a production-like deployment, and is not in its OpenAPI document', async () => {
    const nobody = {
      productionLike: true,
      uploadLimits: {},
      logger: pino({ level: 'silent' }),
      corsOrigins: [],
      allowedHosts: null,
      load: createLoadMonitor(8),
      timing: TIMING,
    };
    const server = createServer(createApp(nobody as unknown as AppDeps).callback());
    const base = `${await listen(server)}/api/v1`;
    expect((await fetch(`${base}/brief/pdf`)).status).toBe(404);
    expect(await (await fetch(`${base}/openapi.json`)).text()).not.toContain('pdf');
    server.close();
    nobody.load.close();
  });
});
