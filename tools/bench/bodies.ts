/** Bodies of a realistic size, for the upstreams and the clients of the benchmark. */
import { toFile } from '../../simulator/people/document-content.ts';

export const BSN = '999990007';
export const MB = 1024 * 1024;

/** Two registrations in the format of the register, as JSON text. */
export const REGISTRATIES = JSON.stringify(
  ['30', '03'].map((beroepCode, index) => ({
    registratieId: `r-2011-${index}`,
    registerNummer: `900000101${beroepCode}`,
    naam: 'Sanne de Wit',
    beroepCode,
    registratiedatum: `20${11 - index}-04-30`,
    geboortedatum: '1988-03-14',
    uhd: index === 0 ? '2099-03-21' : '2015-01-01',
    status:
      index === 0
        ? { soort: 'geregistreerd', datum: '2011-04-30', tot: null, reden: null }
        : { soort: 'doorgehaald', datum: '2015-01-02', tot: null, reden: 'Niet tijdig geherregistreerd' },
    specialistTot: null,
    lopendeHerregistratie: null,
  })),
);

/** Returns an answer of the BRP with one person who has this number, as JSON text. */
export const toPersonen = (burgerservicenummer: string): string =>
  JSON.stringify({
    type: 'RaadpleegMetBurgerservicenummer',
    personen: [
      {
        burgerservicenummer,
        naam: { volledigeNaam: 'Sanne Maria de Wit' },
        geboorte: { datum: { type: 'Datum', datum: '1988-03-14', langFormaat: '14 maart 1988' } },
        verblijfplaats: {
          type: 'Adres',
          verblijfadres: {
            officieleStraatnaam: 'Merelstraat',
            korteStraatnaam: 'Merelstraat',
            huisnummer: 18,
            huisletter: 'a',
            postcode: '3514CN',
            woonplaats: 'Utrecht',
          },
        },
        gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' },
      },
    ],
  });

/** The JSON body of a request that saves the draft of an application, of a realistic size (20 jobs). */
export const DRAFT = Buffer.from(
  JSON.stringify({
    draft: {
      stap: 'werkervaring',
      toelichting: 'x'.repeat(800),
      banen: Array.from({ length: 20 }, (_, index) => ({
        werkgever: `Ziekenhuis nummer ${index}`,
        functie: 'verpleegkundige',
        van: '2021-01-01',
        tot: '2024-12-31',
        uren: 1_200 + index,
        individueleZorg: true,
      })),
    },
    stepIndex: 2,
    stepCount: 5,
    documentIds: [],
  }),
);

/** Returns a PDF of nearly `size` bytes. */
export const pdf = (size: number): Buffer =>
  Buffer.from(
    toFile({ soort: 'pdf', titel: 'Bench', regels: Array(Math.floor((size - 2_048) / 66)).fill('x'.repeat(57)) }).bytes,
  );

/** The document that is downloaded: a PDF of nearly 5 MB. */
export const PDF = pdf(5 * MB);

/**
 * Returns the multipart form for an upload of `file`: its body in pieces, and its content type. `localId` is the id
 * that a page gives the file.
 */
export function uploadForm(file: Buffer, localId: string): { readonly body: readonly Buffer[]; readonly type: string } {
  const boundary = 'bench-boundary-0123456789';
  const fields = { wizardId: 'herregistratie', categoryId: 'werkervaring', localId };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = 'Content-Disposition: form-data; name="file"; filename="bench.pdf"\r\nContent-Type: application/pdf';
  const before = Buffer.from(`${parts.join('')}--${boundary}\r\n${head}\r\n\r\n`);
  const body = [before, file, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
