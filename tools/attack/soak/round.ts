/** One round of the soak test: a citizen and the staff perform each operation once, including refused requests. */
import { pdf } from '../../../test/support/files.ts';
import { fillablePlaceholderOf, freeText, type Sections } from '../../../test/support/letter.ts';
import { BOUNDARY, multipart, partsOf } from '../../../test/support/multipart.ts';
import type { Send } from '../outside.ts';

/** Texts that a round sends. They may occur only in answers. */
export const TYPED = {
  draft: 'Kwartelvink',
  street: 'Zwaluwtongstraat',
  file: 'verklaring-koekoeksbloem',
  letter: 'Reigersbek',
};

/**
 * The access tokens of one round: one of a citizen, and those of the persons who write, approve and send the letter of
 * a workspace.
 */
export type Tokens = Readonly<Record<'citizen' | 'drafter' | 'approver' | 'handler', string>>;

/** Performs each operation once. Returns the personal values in the answers. */
export async function round(send: Send, tokens: Tokens): Promise<string[]> {
  const { citizen } = tokens;
  const get = (path: string) => send('GET', path, citizen);
  const post = (path: string, json: unknown) => send('POST', path, citizen, { json });
  const dashboard = (await get('/dashboard-view')).body;
  for (const path of ['/notes', '/brp/address', '/duo/diplomas', '/intake/policy', '/applications']) await get(path);
  const { id } = (await post('/applications', { type: 'herregistratie' })).body;
  const draft = `/applications/${id}`;
  for (let step = 1; step <= 5; step += 1) {
    const json = { draft: { naam: TYPED.draft, step }, stepIndex: step, stepCount: 5 };
    await send('PUT', draft, citizen, { json });
  }
  await get(draft);
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const body = multipart(partsOf({ file: pdf({ pad: 20_000 }), filename: `${TYPED.file}.pdf` }));
  const { documentId } = (await send('POST', '/uploads', citizen, { headers, body })).body;
  await get('/uploads/status');
  await get(`/uploads/${documentId}/content`);
  await send('DELETE', `/uploads/${documentId}`, citizen);
  // These requests are refused with a problem, which may not contain the sent values.
  const address = { straat: TYPED.street, postcode: '3514CN', woonplaats: 'Utrecht' };
  await post('/change-requests', address);
  await send('PUT', draft, citizen, { json: { draft: {}, documentIds: [TYPED.file] } });
  await post('/intakes', { uren: TYPED.draft });
  const broken = { body: `{"uren": "${TYPED.draft}`, headers: { 'content-type': 'application/json' } };
  await send('POST', '/intakes', citizen, broken);
  await get(`/uploads/status?localIds=${TYPED.file}&${TYPED.street}=999990007`);
  await get(`/applications/${TYPED.file}`);
  await get(`/applications/${TYPED.file}%0a999990007`);
  await send('GET', '/dashboard-view', `${citizen}${TYPED.file}`);
  await post('/change-requests', { ...address, straat: `${TYPED.street} 12` });
  // Who may not apply is refused, and deletes the draft: a Concept is left of no round.
  const submitted = await post(`${draft}/submit`, { uren: 2_600 });
  if (submitted.status >= 400) await send('DELETE', draft, citizen);
  await get('/applications');
  await letter(send, tokens);
  const { naam = null, adres = null } = dashboard.person ?? {};
  return [naam, adres?.straat].filter((value): value is string => typeof value === 'string' && value.length > 7);
}

/** Writes, approves and sends the letter of a workspace. */
async function letter(send: Send, { drafter, approver, handler }: Tokens): Promise<void> {
  const { brief } = (await send('GET', '/brief', drafter)).body;
  const sections: Sections = brief.sections;
  fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
  sections[5].blocks = [freeText(TYPED.letter)];
  await send('PUT', '/brief', drafter, { json: { sections } });
  await send('POST', '/brief/submit', drafter);
  await send('POST', '/brief/approve', approver);
  await send('POST', '/brief/send', handler);
}
