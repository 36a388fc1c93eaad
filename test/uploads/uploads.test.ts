import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { jpeg, pdf, pdfAndZip, pdfOf, png, zip } from '../support/files.ts';
import {
  BOUNDARY,
  multipart,
  type Part,
  partsOf,
  sendForm,
  type Upload,
  upload,
  uploadHead,
} from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { pointersOf, startService, type TestService } from '../support/service.ts';

let service: TestService;
let burger = 0;
/** The folder for temporary files that only the service of this test file uses. */
const spoolFolder = temporaryFolder('uploads');
beforeAll(async () => {
  vi.stubEnv('TMPDIR', spoolFolder);
  service = await startService({ SCANNER: 'simulator' });
});
afterAll(async () => {
  await service.close();
  vi.unstubAllEnvs();
  expect(readdirSync(spoolFolder)).toEqual([]);
});

const MB = 1024 * 1024;
/** Returns the name of a citizen who has uploaded nothing yet. */
const someone = (): string => {
  burger += 1;
  return `burger-${burger}`;
};
const send = (as: string, one: Upload | readonly Part[]) => upload(service, as, one);
const status = async (as: string, query = ''): Promise<{ localId: string; status: string; documentId: string }[]> =>
  (await service.get(`/api/v1/uploads/status${query}`, { as })).body.results;
const content = (as: string, documentId: string) => service.get(`/api/v1/uploads/${documentId}/content`, { as });
const remove = (as: string, documentId: string) => service.call('DELETE', `/api/v1/uploads/${documentId}`, { as });
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

describe('GET /uploads/categories', () => {
  const ask = async (query: string) => service.get(`/api/v1/uploads/categories?${query}`, { as: 'sanne-de-wit' });
  const ids = async (query: string) =>
    (await ask(query)).body.categories.map(
      ({ categoryId, required }: { categoryId: string; required: boolean }) => `${categoryId}${required ? '!' : ''}`,
    );

  it.each([
    ['wizardId=registratie', ['werkervaring']],
    ['wizardId=registratie&diplomaHerkomst=duo&taalvaardigheid=taaltoets', ['werkervaring']],
    ['wizardId=registratie&diplomaHerkomst=handmatig', ['diploma-gewaarmerkt!', 'identiteitsbewijs!', 'werkervaring']],
    [
      'wizardId=registratie&diplomaHerkomst=buitenland&taalvaardigheid=taaltoets',
      [
        'diploma-gewaarmerkt!',
        'identiteitsbewijs!',
        'diplomasupplement!',
        'cv!',
        'verklaring-bevoegde-autoriteit!',
        'beedigde-vertaling',
        'taalcertificaat!',
        'werkervaring',
      ],
    ],
    [
      'wizardId=registratie&diplomaHerkomst=handmatig&taalvaardigheid=vooropleiding',
      ['diploma-gewaarmerkt!', 'identiteitsbewijs!', 'schooldiplomas!', 'werkervaring'],
    ],
    ['wizardId=herregistratie', ['werkervaring', 'scholingsbewijs']],
    ['wizardId=intake', ['scholingsbewijs']],
    ['wizardId=adreswijziging', []],
  ])('returns for %s the categories %j, with ! when required', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('returns the label, accepted types, maximum size and ways of delivery of each category', async () => {
    const [diploma, , , cv] = (await ask('wizardId=registratie&diplomaHerkomst=buitenland')).body.categories;
    expect(diploma).toEqual({
      categoryId: 'diploma-gewaarmerkt',
      label: 'Gewaarmerkte kopie van uw diploma',
      description: 'Papieren kopie met inktstempel en handtekening van de opleiding of een notaris',
      required: true,
      acceptedTypes: ['application/pdf', 'image/jpeg', 'image/png'],
      maxSizeMb: 10,
      multiple: false,
      allowPostDelivery: true,
    });
    expect(cv.allowPostDelivery).toBe(false);
  });

  it.each([
    ['no wizard', '', 'wizardId'],
    ['an empty wizard', 'wizardId=', 'wizardId'],
    ['an unknown wizard', 'wizardId=Registratie', 'wizardId'],
    ['two wizards', 'wizardId=intake&wizardId=registratie', 'wizardId'],
    ['an unknown herkomst', 'wizardId=registratie&diplomaHerkomst=mars', 'diplomaHerkomst'],
    ['an unknown taalvaardigheid', 'wizardId=registratie&taalvaardigheid=goed', 'taalvaardigheid'],
  ])('answers 400 ongeldig-verzoek for %s', async (_, query, pointer) => {
    expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'ongeldig-verzoek', errors: [{ pointer }] } });
  });

  it('answers 400 with every wrong parameter', async () => {
    const { body } = await ask('wizardId=x&diplomaHerkomst=y&taalvaardigheid=z');
    expect(body).toMatchObject({
      detail: 'De parameters wizardId, diplomaHerkomst, taalvaardigheid kloppen niet.',
      errors: [{ pointer: 'wizardId' }, { pointer: 'diplomaHerkomst' }, { pointer: 'taalvaardigheid' }],
    });
  });
});

describe('an uploaded file that passes the checks', () => {
  it.each<[string, Buffer, string, string]>([
    ['a PDF', pdf(), 'verklaring.pdf', 'application/pdf'],
    ['a JPEG', jpeg(4_000, 3_000), 'IMG_0001.JPG', 'image/jpeg'],
    ['a PNG', png(800, 600), 'scan.png', 'image/png'],
    ['a PDF of exactly 10 MB', pdfOf(10 * MB), 'groot.pdf', 'application/pdf'],
    ['a PDF of 3 MB and one byte', pdfOf(3 * MB + 1), 'middel.pdf', 'application/pdf'],
    ['an image of exactly 50 megapixels', png(10_000, 5_000), 'poster.png', 'image/png'],
  ])('is accepted with 201 and downloaded byte for byte: %s', async (_, file, filename, type) => {
    const as = someone();
    const { status: code, body, headers } = await send(as, { file, filename });
    expect([code, body.status, body.localId]).toEqual([201, 'uploaded', 'l1']);
    expect(headers.location).toBe(`/api/v1/uploads/${body.documentId}/content`);
    expect(headers['x-simulated']).toBe('documenten,scanner');

    const { status: read, headers: sent } = await content(as, body.documentId);
    expect([read, sent['content-type'], sent['content-length']]).toEqual([200, type, String(file.length)]);
    // `toEqual` compares byte by byte in JavaScript: ten seconds for ten megabytes.
    expect(file.equals(await bytesOf(as, body.documentId))).toBe(true);
  });

  it('is downloaded with headers that make a browser save it and run nothing in it', async () => {
    const as = someone();
    const { body } = await send(as, { file: pdf(), filename: 'één “naam”;\u202e.pdf' });
    const { headers } = await content(as, body.documentId);
    const hash = createHash('sha256').update(pdf()).digest('base64');
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="?.+"?; filename\*=UTF-8''%C3%A9%C3%A9n/),
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'none',
      'repr-digest': `sha-256=:${hash}:`,
    });
  });

  it('is refused with 406 on a download whose Accept allows none of the types that a download can have', async () => {
    const as = someone();
    const { documentId } = (await send(as, { file: pdf() })).body;
    const statusWith = async (accept: string) =>
      (await service.get(`/api/v1/uploads/${documentId}/content`, { as, headers: { accept } })).status;
    for (const accept of ['application/json', 'text/*', '*/*;q=0'])
      expect([accept, await statusWith(accept)]).toEqual([accept, 406]);
    for (const accept of ['application/pdf', 'image/png', 'text/html, */*;q=0.8', 'application/problem+json'])
      expect([accept, await statusWith(accept)]).toEqual([accept, 200]);
  });

  it('is described by HEAD with the Content-Length and Content-Type of GET', async () => {
    const as = someone();
    const { body } = await send(as, { file: pdf() });
    const head = await service.call('HEAD', `/api/v1/uploads/${body.documentId}/content`, { as });
    expect([head.status, head.headers['content-length']]).toEqual([200, String(pdf().length)]);
    expect(head.headers['content-type']).toBe('application/pdf');
  });

  it('is accepted with 201 when it comes before the form fields', async () => {
    const as = someone();
    expect((await send(as, partsOf({ file: pdf() }).reverse())).status).toBe(201);
  });

  it.each([
    ['quotes around the boundary', `multipart/form-data; boundary="${BOUNDARY}"`],
    ['capitals in the Content-Type', `Multipart/Form-Data; Boundary=${BOUNDARY}`],
  ])('is accepted with 201 with %s', async (_, type) => {
    expect((await sendForm(service, someone(), multipart(partsOf({ file: pdf() })), type)).status).toBe(201);
  });

  it('is accepted with 201 with a boundary of 70 characters that contains the word json', async () => {
    const boundary = `json${'x'.repeat(66)}`;
    const type = `multipart/form-data; boundary=${boundary}`;
    const body = multipart(partsOf({ file: pdf() }), boundary);
    expect((await sendForm(service, someone(), body, type)).status).toBe(201);
  });
});

describe('the upload of a file', () => {
  const encrypted = pdf({ trailer: '/Encrypt 5 0 R ' });
  it.each<[string, Buffer | string, string, number, string]>([
    ['is empty', '', 'a.pdf', 422, 'bestand-leeg'],
    ['is one byte too large', pdfOf(10 * MB + 1), 'a.pdf', 413, 'bestand-te-groot'],
    ['is an HTML page', '<script>alert(1)</script>', 'a.pdf', 415, 'bestandstype-niet-toegestaan'],
    ['is a PDF with the extension .exe', pdf(), 'a.exe', 422, 'bestandsnaam-onjuist'],
    ['is cut off', pdf().subarray(0, 200), 'a.pdf', 422, 'bestand-beschadigd'],
    ['is a PDF with a zip archive inside', pdfAndZip(), 'a.pdf', 415, 'bestandstype-niet-toegestaan'],
    ['is an encrypted PDF', encrypted, 'a.pdf', 422, 'bestand-versleuteld'],
    ['has more than 50 megapixels', png(10_000, 5_001), 'a.png', 422, 'afbeelding-te-groot'],
    [
      'contains the EICAR test virus',
      pdf({ trailer: `/Info (${EICAR.replace(')', '\\)')}) % ${EICAR}\n` }),
      'a.pdf',
      422,
      'bestand-geinfecteerd',
    ],
  ])('is refused with $3 $4 and gets the status rejected: it $0', async (_, file, filename, code, problem) => {
    const as = someone();
    expect(await send(as, { file, filename })).toMatchObject({ status: code, body: { code: problem } });
    expect(await status(as)).toEqual([{ localId: 'l1', status: 'rejected', documentId: null }]);
    expect((await send(as, { file: pdf() })).status).toBe(201);
  });

  it('is refused with bestand-beschadigd when its PDF trailer has many spaces, and other requests are answered meanwhile', async () => {
    const start = `%PDF-1.4\n${'% a comment\n'.repeat(3)}`;
    const file = Buffer.from(`${start}xref\n0 0\ntrailer${' '.repeat(45)}x\nstartxref\n${start.length}\n%%EOF\n`);
    const refused = send(someone(), { file });
    for (let n = 0; n < 5; n += 1) expect((await service.get('/health')).status).toBe(200);
    expect((await refused).body.code).toBe('bestand-beschadigd');
  });

  const box = (brands: string): string => `\0\0\0\x18ftyp${brands}`;
  it.each([
    ['heic', 'foto.heic', box('heic\0\0\0\0mif1heic'), /heic-foto\. Kies op uw telefoon .*, of maak er een pdf van\.$/],
    ['heif', 'foto.heif', box('mif1\0\0\0\0mif1heic'), /heic-foto\. Kies op uw telefoon .*, of maak er een pdf van\.$/],
    ['avif', 'foto.avif', box('mif1\0\0\0\0mif1avif'), /avif-afbeelding\. .*, of maak er een pdf van\.$/],
    [
      'webp',
      'foto.webp',
      'RIFF\x24\0\0\0WEBPVP8 ',
      /webp-afbeelding\. Kies op uw telefoon .*, of maak er een pdf van\.$/,
    ],
    ['tiff', 'scan.tif', 'II*\0\x08\0\0\0', /tiff-afbeelding\. .*, of maak er een pdf van\.$/],
    ['gif', 'scan.gif', 'GIF89a', /gif-afbeelding\. .*, of maak er een pdf van\.$/],
    ['bmp', 'scan.bmp', 'BM\x36\x10\0\0\0\0\0\0\x36\0', /bmp-afbeelding\. .*, of maak er een pdf van\.$/],
    ['docx', 'cv.docx', zip(['[Content_Types].xml']), /tekstverwerker.*\. Sla het op als pdf\.$/],
    ['docx of LibreOffice', 'cv.docx', zip(['_rels/.rels']), /tekstverwerker.*\. Sla het op als pdf\.$/],
    ['docx of a website', 'cv.docx', zip(['word/document.xml']), /tekstverwerker.*\. Sla het op als pdf\.$/],
    [
      'odt',
      'cv.odt',
      zip(['mimetypeapplication/vnd.oasis.opendocument.text']),
      /tekstverwerker.*\. Sla het op als pdf\.$/,
    ],
    ['doc', 'cv.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /tekstverwerker.*\. Sla het op als pdf\.$/],
    ['zip', 'alles.zip', zip(['a.pdf']), /zip-archief\. Pak het uit/],
    ['text named .pdf', 'brief.PDF', 'Geachte heer,', /^De inhoud van dit bestand is geen pdf\.$/],
    ['text', 'brief.txt', 'Geachte heer,', /^Dit is geen bestand van een soort die hier kan: pdf, jpg, png\.$/],
    ['pdf with a zip in it', 'a.pdf', pdfAndZip(), /ook een zip-archief\. .*, of druk het af naar een nieuwe pdf\.$/],
    ['pdf in a jpg', 'a.jpg', Buffer.concat([jpeg(), pdf()]), /een pdf en ook iets anders\. Open de pdf/],
  ])('is refused with a detail that says what the file is and what to do: %s', async (_, filename, file, detail) => {
    const bytes = typeof file === 'string' ? Buffer.from(file, 'latin1') : file;
    const problem = { code: 'bestandstype-niet-toegestaan', detail: expect.stringMatching(detail) };
    expect(await send(someone(), { file: bytes, filename })).toMatchObject({ status: 415, body: problem });
  });

  it('is accepted with 201 when it is named foto.mpo, and downloaded with an extension that programs open', async () => {
    const as = someone();
    const { status: answered, body } = await send(as, { file: jpeg(), filename: 'foto.mpo' });
    expect(answered).toBe(201);
    const { headers } = await content(as, body.documentId);
    expect(headers['content-disposition']).toBe('attachment; filename=foto.jpg');
  });

  it('is refused with maxSizeMb or acceptedTypes in the problem when the file is too large or of another type', async () => {
    expect(await send(someone(), { file: pdfOf(10 * MB + 1) })).toMatchObject({ body: { maxSizeMb: 10 } });
    const { body: other } = await send(someone(), { file: 'nothing' });
    expect(other.acceptedTypes).toEqual(['application/pdf', 'image/jpeg', 'image/png']);
  });

  it('is refused with 413 bestand-te-groot before a file that is too large has been sent, and the connection is closed', async () => {
    const parts = multipart(partsOf({ file: Buffer.alloc(20 * MB) }));
    const reply = await uploadRaw(someone(), parts);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toMatch(/connection: close/i);
    expect(reply).toContain('"code":"bestand-te-groot"');
  });
});

describe('an invalid upload form', () => {
  const file = { name: 'file', content: pdf(), filename: 'a.pdf' };
  const fields = partsOf({ file: pdf() }).slice(0, 3);
  const field = (name: string, value: string): Part => ({ name, content: value });
  const without = (name: string): Part[] => fields.filter((part) => part.name !== name);
  const changed = (name: string, value: string): Part[] => [...without(name), field(name, value), file];

  it.each<[string, Part[], string]>([
    ['without a file', fields, 'upload-zonder-bestand'],
    ['without any part', [], 'upload-zonder-bestand'],
    ['with a text field named file', [...fields, field('file', 'hello')], 'upload-zonder-bestand'],
    [
      'with an empty file input',
      [...fields, { ...file, content: '', filename: '', type: 'application/octet-stream' }],
      'upload-zonder-bestand',
    ],
    ['with the file under another name', [...fields, { ...file, name: 'document' }], 'upload-zonder-bestand'],
    ['with two files', [...fields, file, file], 'upload-te-veel-bestanden'],
    ['without a localId', [...without('localId'), file], 'upload-veld-onjuist'],
    ['without a categoryId', [...without('categoryId'), file], 'upload-veld-onjuist'],
    ['with an empty wizardId', changed('wizardId', ''), 'upload-veld-onjuist'],
    ['with an unknown wizardId', changed('wizardId', 'x'), 'upload-veld-onjuist'],
    ['with a field twice', [...fields, field('localId', 'l1'), file], 'upload-veld-onjuist'],
    ['with an unknown field', [...fields, field('__proto__', 'x'), file], 'upload-veld-onjuist'],
    ['with a field after the file', [...fields, file, field('more', 'x')], 'upload-veld-onjuist'],
    ['with a localId with characters that are not allowed', changed('localId', '../l1'), 'upload-veld-onjuist'],
    ['with a localId of 65 characters', changed('localId', 'x'.repeat(65)), 'upload-veld-onjuist'],
    ['with a category of another wizard', changed('categoryId', 'cv'), 'categorie-onbekend'],
    ['with an unknown category', changed('categoryId', 'diploma'), 'categorie-onbekend'],
    ['with nine fields', [...Array.from({ length: 9 }, (_, n) => field(`f${n}`, '')), file], 'upload-onjuist'],
  ])('$0 is refused with 400 $2 and stores nothing', async (_, parts, problem) => {
    const as = someone();
    expect(await send(as, parts)).toMatchObject({ status: 400, body: { code: problem } });
    expect(await status(as)).toEqual([]);
  });

  it('is refused with all faults in its fields in one response', async () => {
    const { body } = await send(someone(), [field('wizardId', 'x'), field('localId', '!'), field('extra', 'x'), file]);
    expect(pointersOf(body).sort()).toEqual(['/categoryId', '/extra', '/localId', '/wizardId'].sort());
  });

  it.each([
    ['a category of another wizard', changed('categoryId', 'cv'), 'Kies uit werkervaring, scholingsbewijs.'],
    [
      'a wizard without documents',
      [field('categoryId', 'cv'), field('localId', 'l1'), field('wizardId', 'adreswijziging'), file],
      'Bij deze wizard horen geen documenten.',
    ],
    ['an unknown field', [...fields, field('wizardID', 'x'), file], 'Hier kan: categoryId, localId, wizardId, file.'],
  ])('with %s is refused with what is possible there', async (_, parts, possible) => {
    const { body } = await send(someone(), parts);
    expect(body.errors).toMatchObject([{ detail: expect.stringContaining(possible) }]);
  });

  it('with a field of 1,025 characters is refused because of its length', async () => {
    const { body } = await send(someone(), changed('localId', 'x'.repeat(1_025)));
    expect(body.errors).toMatchObject([{ pointer: '/localId', code: 'buiten-bereik', detail: 'Dit veld is te lang.' }]);
  });

  it.each([
    ['unknown', 'more', '/more', 'onbekend-veld'],
    ['a field that came before it', 'localId', '/localId', 'ongeldige-waarde'],
  ])('with a field after the file that is %s is refused with a fault at that field', async (_, name, pointer, code) => {
    const { body } = await send(someone(), [...fields, file, field(name, 'l1')]);
    expect(body.errors).toMatchObject([{ pointer, code }]);
  });

  const whole = multipart(partsOf({ file: pdf() }));
  it.each<[string, Buffer | string]>([
    ['without the closing boundary', whole.subarray(0, -10)],
    ['with another boundary than its Content-Type', whole.toString('latin1').replaceAll(BOUNDARY, 'other')],
    ['with a malformed part header', `--${BOUNDARY}\r\nContent-Disposition form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`],
    ['with an empty body', ''],
    ['with lines that end in LF', whole.toString('latin1').replaceAll('\r\n', '\n')],
  ])('%s is refused with 400 upload-onjuist', async (_, body) => {
    expect(await sendForm(service, someone(), body)).toMatchObject({
      status: 400,
      body: { code: 'upload-onjuist', detail: expect.stringContaining('CRLF') },
    });
  });

  it('with a malformed filename* is not said to have no part file', async () => {
    const { body } = await send(someone(), [...fields, { ...file, filename: `a.pdf"; filename*="a` }]);
    expect(body.detail).toBe('Er is geen onderdeel `file` met een geldige `Content-Disposition`.');
  });

  const LONG = 'x'.repeat(71);
  it.each<[string, string, string?]>([
    ['that is JSON', 'application/json'],
    ['of another multipart type', `multipart/mixed; boundary=${BOUNDARY}`],
    ['without a boundary', 'multipart/form-data'],
    ['with a parameter after the boundary', `multipart/form-data; boundary=${BOUNDARY}; a=octet-stream`],
    ['with a parameter before the boundary', `multipart/form-data; charset=utf-8; boundary=${BOUNDARY}`],
    ['with a boundary of 71 characters', `multipart/form-data; boundary=${LONG}`, LONG],
  ])('with a Content-Type %s is refused with 415 mediatype-niet-ondersteund', async (_, type, boundary = BOUNDARY) => {
    const form = multipart(partsOf({ file: pdf() }), boundary);
    const { status: answered, body } = await sendForm(service, someone(), form, type);
    expect([answered, body.code]).toEqual([415, 'mediatype-niet-ondersteund']);
  });

  it('is refused with 415 when it is compressed (Content-Encoding: gzip)', async () => {
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-encoding': 'gzip' };
    expect((await service.call('POST', '/api/v1/uploads', { as: someone(), body: whole, headers })).status).toBe(415);
  });

  it('with a Content-Length above the limit is refused with 413 bestand-te-groot before its body is sent', async () => {
    const head = uploadHead(someone(), `Content-Length: ${26 * MB}`);
    expect(await service.raw(head)).toMatch(/^HTTP\/1\.1 413 .*"code":"bestand-te-groot"/s);
  });
});

describe('uploads with the same localId', () => {
  it('are one document when their bytes are the same, and the second is answered with 200', async () => {
    const as = someone();
    const first = await send(as, { file: pdf() });
    expect(await send(as, { file: pdf(), filename: 'anders.pdf' })).toMatchObject({ status: 200, body: first.body });
    expect(await status(as)).toHaveLength(1);
  });

  it.each<[string, Upload, string]>([
    ['with other bytes', { file: png(), filename: 'a.png' }, 'Hier staat al een ander bestand.'],
    ['in another category', { file: pdf(), categoryId: 'scholingsbewijs' }, 'Dit bestand staat hier al, bij een ander'],
  ])('are refused with 409 upload-anders when the second comes %s', async (_, again, said) => {
    const as = someone();
    await send(as, { file: pdf() });
    const { status: answered, body } = await send(as, again);
    expect([answered, body.code]).toEqual([409, 'upload-anders']);
    expect(body.detail).toContain(said);
    expect((await status(as))[0]?.status).toBe('uploaded');
  });

  it('are two uploads when they are in different wizards', async () => {
    const as = someone();
    await send(as, { file: pdf(), wizardId: 'herregistratie', categoryId: 'scholingsbewijs' });
    await send(as, { file: pdf(), wizardId: 'intake', categoryId: 'scholingsbewijs' });
    expect(await status(as, '?localIds=l1')).toHaveLength(2);
  });

  it('are answered with one 201 when they come at the same moment; the others get 409 upload-bezig with Retry-After', async () => {
    const as = someone();
    const file = pdfOf(2 * MB);
    const answers = await Promise.all([1, 2, 3].map(() => send(as, { file })));
    const codes = answers.map(({ status: code, body }) => `${code} ${body.code ?? body.status}`).sort();
    expect(codes[0]).toBe('201 uploaded');
    expect(new Set(codes.slice(1))).toEqual(new Set(['409 upload-bezig']));
    expect(answers.find(({ status: code }) => code === 409)?.headers['retry-after']).toBe('2');
    expect(await status(as)).toHaveLength(1);
  });
});

describe('GET /uploads/status', () => {
  it('returns all uploads, newest first, or those in localIds in the order asked', async () => {
    const as = someone();
    await send(as, { file: pdf(), localId: 'a' });
    await send(as, { file: 'nonsense', localId: 'b' });
    expect((await status(as)).map(({ localId }) => localId)).toEqual(['b', 'a']);
    const named = [
      { localId: 'b', status: 'rejected', documentId: null },
      { localId: 'zzz', status: 'unknown', documentId: null },
      { localId: 'a', status: 'uploaded', documentId: expect.any(String) },
    ];
    expect(await status(as, '?localIds=b,zzz,a')).toEqual(named);
    expect(await status(as, '?localIds=b&localIds=zzz&localIds=a,b')).toEqual(named);
    expect(await status(as, '?localIds=')).toEqual([]);
  });

  it('returns status unknown for a localId with characters that are not allowed', async () => {
    const strange = encodeURIComponent('ü\0;drop');
    expect(await status(someone(), `?localIds=${strange}`)).toEqual([
      { localId: 'ü\0;drop', status: 'unknown', documentId: null },
    ]);
  });

  it.each([
    ...['/uploads/status?localIds[]=a', '/uploads/status?localIds[0]=a', '/uploads/status?localid=a'],
    ...[
      '/uploads/status?localIds=a&localIDs=b',
      '/uploads/categories?wizardid=intake',
      '/uploads/categories?wizardIds=intake',
    ],
  ])('refuses a parameter in another spelling with the one that is meant: %s', async (path) => {
    const { status: answered, body } = await service.get(`/api/v1${path}`, { as: someone() });
    const meant = path.includes('status') ? 'localIds=a,b' : 'de parameter wizardId';
    const fault = { code: 'onbekend-veld', detail: `Bedoelde u ${meant}?` };
    expect([answered, body.errors]).toEqual([400, expect.arrayContaining([expect.objectContaining(fault)])]);
  });

  it('ignores an unknown parameter that resembles none', async () => {
    const { status: answered } = await service.get('/api/v1/uploads/status?localIds=a&t=1&cache=no', { as: someone() });
    expect(answered).toBe(200);
  });

  it('answers for 50 localIds, and with 400 for 51', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `l${index}`);
    expect(await status(someone(), `?localIds=${ids.slice(1).join(',')}`)).toHaveLength(50);
    const path = `/api/v1/uploads/status?localIds=${ids.join(',')}`;
    const { status: answered, body } = await service.get(path, { as: someone() });
    expect([answered, body.errors[0].pointer]).toEqual([400, 'localIds']);
  });
});

describe('a document that the caller does not have', () => {
  it('is not found (404) to download or delete, and its status is unknown', async () => {
    const { body } = await send(someone(), { file: pdf() });
    const as = someone();
    expect((await content(as, body.documentId)).status).toBe(404);
    expect((await remove(as, body.documentId)).status).toBe(404);
    expect(await status(as, '?localIds=l1')).toMatchObject([{ status: 'unknown' }]);
  });

  it.each<[string, (id: string) => string]>([
    ['a path', (id) => `../uploads/${id}`],
    ['encoded dots', (id) => `%2e%2e/uploads/${id}`],
    ['a NUL after it', (id) => `${id}\0`],
    ['a space before it', (id) => ` ${id}`],
    ['100 characters after it', (id) => id + 'x'.repeat(100)],
    ['capitals', (id) => id.toUpperCase()],
    ['another word', () => 'categories'],
  ])('is not found (404) under its id with %s', async (_, change) => {
    const as = someone();
    const { documentId } = (await send(as, { file: pdf() })).body;
    expect((await content(as, encodeURIComponent(change(documentId)))).status).toBe(404);
    expect((await content(as, documentId)).status).toBe(200);
  });
});

describe('deleting a document', () => {
  it('answers 204 once, then 404, and its localId can be used again', async () => {
    const as = someone();
    const { body } = await send(as, { file: pdf() });
    expect((await remove(as, body.documentId)).status).toBe(204);
    expect((await remove(as, body.documentId)).status).toBe(404);
    expect((await content(as, body.documentId)).status).toBe(404);
    expect(await status(as, '?localIds=l1')).toMatchObject([{ status: 'unknown' }]);
    expect((await send(as, { file: pdf() })).status).toBe(201);
  });

  it('answers 409 document-in-gebruik when the document store has other references to it', async () => {
    const as = someone();
    const { body } = await send(as, { file: pdf(), filename: 'sim-in-gebruik.pdf' });
    expect(await remove(as, body.documentId)).toMatchObject({ status: 409, body: { code: 'document-in-gebruik' } });
    expect((await status(as))[0]?.status).toBe('uploaded');
  });

  it.each<[string, Record<string, string>, number]>([
    ['a drafter', { 'x-role': 'drafter' }, 403],
    ['an approver', { 'x-role': 'approver' }, 403],
    ['an admin', { 'x-role': 'admin' }, 204],
  ])('of another person by $0 answers $2', async (_, role, expected) => {
    const { body } = await send(someone(), { file: pdf() });
    const path = `/api/v1/admin/uploads/${body.documentId}`;
    const answer = await service.call('DELETE', path, { as: 'admin-ali', headers: role });
    expect([answer.status, answer.body]).toEqual([expected, '']);
    const again = await service.call('DELETE', path, { as: 'admin-ali', headers: role });
    expect(again.status).toBe(expected === 204 ? 404 : 403);
  });

  it('of another person by an admin answers 204 when the document store has other references to it', async () => {
    const as = someone();
    const { body } = await send(as, { file: pdf(), filename: 'sim-in-gebruik.pdf' });
    const path = `/api/v1/admin/uploads/${body.documentId}`;
    const answer = await service.call('DELETE', path, { as: 'admin-ali', headers: { 'x-role': 'admin' } });
    expect([answer.status, await status(as)]).toEqual([204, []]);
  });

  it.each<[string, number]>([
    ['behandelaar', 403],
    ['behandelaar,teamlead', 403],
    ['beheerder', 204],
  ])('of another person by staff in the roles %s answers %i', async (rollen, expected) => {
    const { body } = await send(someone(), { file: pdf() });
    const headers = { authorization: 'Bearer x', 'x-medewerker': 'teamlead-tess', 'x-rollen': rollen };
    const path = `/api/v1/admin/uploads/${body.documentId}`;
    expect((await service.call('DELETE', path, { headers })).status).toBe(expected);
  });

  it('of another person is recorded in the processing log with its id and SHA-256, without its file name', async () => {
    const { body } = await send(someone(), { file: pdf(), filename: 'geheim-dossier.pdf' });
    const path = `/api/v1/admin/uploads/${body.documentId}`;
    await service.call('DELETE', path, { as: 'admin-ali', headers: { 'x-role': 'admin' } });
    const sha256 = createHash('sha256').update(pdf()).digest('hex');
    await expect
      .poll(() => service.processingLog)
      .toContainEqual(
        expect.objectContaining({
          act: 'upload-verwijderen',
          outcome: 'done',
          actor: expect.stringMatching(/^[0-9a-f]{64}$/),
          object: { documentId: body.documentId, sha256 },
        }),
      );
    expect(JSON.stringify([service.log, service.processingLog])).not.toContain('geheim-dossier');
  });
});

/** Returns the bytes of a document; `service.get` would decode them as text. */
async function bytesOf(as: string, documentId: string): Promise<Buffer> {
  const headers = { authorization: 'Bearer test', 'x-subject': as };
  const answer = await fetch(`${service.url}/api/v1/uploads/${documentId}/content`, { headers });
  return Buffer.from(await answer.arrayBuffer());
}

/** Sends the whole body without waiting for an answer, as HTTP clients do. Returns what came back until the connection closed. */
function uploadRaw(as: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', () => undefined);
    socket.write(uploadHead(as, `Content-Length: ${body.length}`));
    socket.write(body);
  });
}
