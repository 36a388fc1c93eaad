import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import { casesOf } from '../support/cases.ts';
import {
  createLetterClient,
  fillablePlaceholderOf,
  freeText,
  type LetterClient,
  type StaffName,
  sectionTextOf,
} from '../support/letter.ts';
import { type Reply, useService } from '../support/service.ts';

let now = '2026-06-01T12:00:00Z';
const clock: Clock = { now: () => new Date(now) };
const service = await useService({}, clock);

const STATES = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
const ACTIONS = ['save', 'submit', 'approve', 'reject', 'send', 'reset', 'read'] as const;
type Cell = 'ok' | 'role' | 'own' | 'status';

async function act(letter: LetterClient, who: StaffName, action: (typeof ACTIONS)[number]): Promise<Reply> {
  switch (action) {
    case 'read':
      return letter.get(who);
    case 'save':
      return letter.put(who, await letter.filledSections('dana'));
    case 'reject':
      return letter.post(who, 'reject', { comments: 'Nog eens.' });
    default:
      return letter.post(who, action);
  }
}

const cellOf = ({ status, body }: Reply): Cell | string => {
  if (status === 200) return 'ok';
  const cells: Record<string, Cell> = { 'rol-ontbreekt': 'role', 'vier-ogen': 'own', 'brief-status': 'status' };
  return `${status === 403 || status === 409 ? (cells[body.code] ?? body.code) : status}`;
};

type Rights = Record<(typeof STATES)[number], string>;
/**
 * The table of domain.md 4.8: the answer that a person with this role gets for save, submit, approve, reject, send, reset and read,
 * in that order, in each status. Dana drafted, saved and submitted the letter, Anna approved or rejected it, and Bas
 * sent it.
 */
const DRAFTER: Rights = {
  draft: 'ok open role role status ok ok',
  submitted: 'status status role role status ok ok',
  approved: 'status status role role ok ok ok',
  rejected: 'ok ok role role status ok ok',
  sent: 'status status role role status ok ok',
};
const APPROVER: Rights = {
  draft: 'role role status status status ok ok',
  submitted: 'role role ok ok status ok ok',
  approved: 'role role status status ok ok ok',
  rejected: 'role role status status status ok ok',
  sent: 'role role status status status ok ok',
};
const BOTH: Rights = {
  draft: 'ok open status status status ok ok',
  submitted: 'status status ok ok status ok ok',
  approved: 'status status status status ok ok ok',
  rejected: 'ok ok status status status ok ok',
  sent: 'status status status status status ok ok',
};
const NEITHER: Rights = {
  draft: 'role role role role role role role',
  submitted: 'role role role role role role role',
  approved: 'role role role role role role role',
  rejected: 'role role role role role role role',
  sent: 'role role role role role role role',
};
const EVERY_CELL: Record<StaffName, Rights> = {
  dana: DRAFTER,
  anna: APPROVER,
  ali: BOTH,
  noor: DRAFTER,
  bas: DRAFTER,
  basBoth: DRAFTER,
  tess: BOTH,
  tessLead: APPROVER,
  basAdmin: NEITHER,
};

/** The people of the table, as the titles of the tests name them. */
const PERSON: Record<StaffName, string> = {
  dana: 'a drafter who drafted and submitted the letter',
  anna: 'an approver who approved or rejected the letter',
  ali: 'an admin of letters',
  noor: 'a professional without a role header',
  bas: 'a behandelaar',
  basBoth: 'a behandelaar who is beheerder too',
  tess: 'a behandelaar who is teamlead too',
  tessLead: 'a teamlead',
  basAdmin: 'a beheerder',
};

/** Returns a row of the table as text, such as `200 to save and read, 403 rol-ontbreekt to approve`. */
function inWords(row: string): string {
  const cells = row.split(' ');
  const answers = { ok: '200', open: '409 plaatshouder-open', role: '403 rol-ontbreekt', status: '409 brief-status' };
  return Object.entries(answers)
    .flatMap(([cell, answer]) => {
      const actions = ACTIONS.filter((_, index) => cells[index] === cell);
      return actions.length === 0 ? [] : [`${answer} to ${new Intl.ListFormat('en').format(actions)}`];
    })
    .join('; ');
}

describe('the letter of a workspace', () => {
  const rows = Object.entries(EVERY_CELL).flatMap(([who, states]) =>
    STATES.map(
      (state) => [state, PERSON[who as StaffName], inWords(states[state]), who as StaffName, states[state]] as const,
    ),
  );
  const letters = new Map<string, Promise<LetterClient>>();
  const refusing = (state: (typeof STATES)[number]): Promise<LetterClient> => {
    const made = letters.get(state) ?? broughtTo(state);
    letters.set(state, made);
    return made;
  };
  async function broughtTo(state: (typeof STATES)[number]): Promise<LetterClient> {
    const letter = createLetterClient(service);
    await letter.bringTo(state);
    return letter;
  }
  // Of these nine, each is of another person, and each status occurs; rules/policy.test.ts has all of them.
  it.each(casesOf(rows, 9))(
    'in the status %s allows or refuses each action of %s as the table says: %s',
    async (state, _, __, who, expected) => {
      const cells = expected.split(' ');
      const changes = (action: (typeof ACTIONS)[number], n: number) => cells[n] === 'ok' && action !== 'read';
      const found = new Map<string, string>();
      const perform = async (letter: LetterClient, action: (typeof ACTIONS)[number]) => {
        const cell = cellOf(await act(letter, who, action));
        found.set(action, cell === 'plaatshouder-open' ? 'open' : cell);
      };
      // What is refused changes nothing, so one letter of each status serves all refusals. Each other action has a letter
      // of its own.
      const one = await refusing(state);
      const before = (await one.get('dana')).body;
      for (const action of ACTIONS.filter((action, n) => !changes(action, n))) await perform(one, action);
      expect((await one.get('dana')).body).toEqual(before);
      for (const action of ACTIONS.filter(changes)) {
        await perform(await broughtTo(state), action);
      }
      const answers = ACTIONS.map((action) => found.get(action));
      expect(answers.join(' ')).toBe(expected);
    },
  );

  it('is answered with 401 to a caller without identity, and to one who names a person without a token', async () => {
    const staff = { 'x-medewerker': 'behandelaar-bas', 'x-rollen': 'behandelaar' };
    const statusWith = async (headers: Record<string, string>) =>
      (await service.get('/api/v1/brief', { headers })).status;
    const statuses = [await statusWith({}), await statusWith(staff)];
    expect([...statuses, await statusWith({ ...staff, authorization: 'Bearer x' })]).toEqual([401, 401, 200]);
  });
});

describe('the four-eyes rule of letters', () => {
  /** Returns a submitted letter for which `who` performed this action: drafting, saving or submitting. */
  const drafted = async (part: 'drafts' | 'saves' | 'submits', who: StaffName): Promise<LetterClient> => {
    const letter = createLetterClient(service);
    if (part === 'drafts') await letter.post(who, 'reset');
    await letter.put(part === 'saves' ? who : 'dana', await letter.filledSections());
    await letter.post(part === 'submits' ? who : 'dana', 'submit');
    return letter;
  };

  it.each([
    ['admin', 'drafts', 'ali'],
    ['admin', 'submits', 'ali'],
    ['teamlead', 'drafts', 'tess'],
    ['teamlead', 'submits', 'tess'],
  ] as const)(
    'refuses with 403 an approval or rejection by the %s who %s the letter, before and after another person judges the letter',
    async (_, part, who) => {
      const letter = await drafted(part, who);
      expect(cellOf(await act(letter, who, 'approve'))).toBe('own');
      expect(cellOf(await act(letter, who, 'reject'))).toBe('own');
      expect((await letter.brief()).status.tag).toBe('submitted');
      expect((await letter.post('anna', 'approve')).status).toBe(200);
      expect(cellOf(await act(letter, who, 'approve'))).toBe('own');
      await letter.post('bas', 'send');
      expect(cellOf(await act(letter, who, 'reject'))).toBe('own');
    },
  );

  it('refuses with 403 an approval by the submitter of a rejected letter, also after another person submits the letter', async () => {
    const letter = await drafted('submits', 'ali');
    await letter.post('anna', 'reject', { comments: 'Anders.' });
    await letter.put('bas', await letter.filledSections());
    expect(cellOf(await act(letter, 'ali', 'approve'))).toBe('own');
    await letter.post('bas', 'submit');
    expect(cellOf(await act(letter, 'ali', 'approve'))).toBe('own');
    expect(cellOf(await act(letter, 'anna', 'approve'))).toBe('ok');
  });

  it.each([
    ['an admin', 'ali'],
    ['a teamlead', 'tess'],
  ] as const)('refuses with 403 an approval or rejection by %s who only saved the letter', async (_, who) => {
    const letter = await drafted('saves', who);
    for (const action of ['approve', 'reject'] as const) expect(cellOf(await act(letter, who, action))).toBe('own');
    expect(cellOf(await act(letter, 'anna', 'approve'))).toBe('ok');
  });

  it.each([
    ['a person who saved the letter only before the last reset of the letter', 'saves', 'dana'],
    ['the former drafter after another person reset the letter', 'drafts', 'bas'],
  ] as const)('accepts an approval by %s', async (_, part, next) => {
    const letter = await drafted(part, 'ali');
    await letter.post(next, 'reset');
    await letter.put(next, await letter.filledSections());
    await letter.post(next, 'submit');
    expect(cellOf(await act(letter, 'ali', 'approve'))).toBe('ok');
  });

  it.each([
    ['an approver', 'anna'],
    ['a teamlead', 'tessLead'],
  ] as const)('accepts an approval by %s who only reset the letter', async (_, who) => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    expect((await letter.post(who, 'reset')).body.brief.drafterId).toBe(`drafter-dana@${letter.world}`);
    await letter.put('dana', await letter.filledSections());
    await letter.post('dana', 'submit');
    expect(cellOf(await act(letter, who, 'approve'))).toBe('ok');
  });

  it('refuses with 403 an approval by the submitter in another role', async () => {
    const letter = await drafted('submits', 'tess');
    expect(cellOf(await act(letter, 'tessLead', 'approve'))).toBe('own');
  });
});

describe('a letter', () => {
  it('records for submit, reject, approve and send who did it and when, with null for the actions that were not done', async () => {
    const letter = createLetterClient(service);
    const none = {
      submittedBy: null,
      submittedAt: null,
      approvedBy: null,
      approvedAt: null,
      rejectedBy: null,
      rejectedAt: null,
      comments: null,
      sentAt: null,
    };
    const step = (time: string) => {
      now = `2026-06-01T12:0${time}Z`;
    };
    const { brief } = (await letter.get('anna')).body;
    expect(brief).toMatchObject({
      drafterId: `drafter-dana@${letter.world}`,
      beroep: 'verpleegkundige',
      templateId: 'herregistratie-besluit',
      status: { ...none, tag: 'draft' },
    });
    await letter.put('dana', await letter.filledSections());
    step('1:00');
    const submitted = { ...none, submittedBy: `drafter-dana@${letter.world}`, submittedAt: '2026-06-01T12:01:00Z' };
    expect((await letter.post('dana', 'submit')).body.status).toEqual({ ...submitted, tag: 'submitted' });
    step('2:00');
    const rejected = {
      ...submitted,
      rejectedBy: `approver-anna@${letter.world}`,
      rejectedAt: '2026-06-01T12:02:00Z',
      comments: 'De periode klopt niet.',
    };
    expect((await letter.post('anna', 'reject', { comments: ' De periode klopt niet.\n' })).body.status).toEqual({
      ...rejected,
      tag: 'rejected',
    });
    expect((await letter.put('bas', await letter.filledSections())).body.status).toEqual({ ...rejected, tag: 'draft' });
    step('3:00');
    const again = {
      ...rejected,
      submittedBy: `behandelaar-bas@${letter.world}`,
      submittedAt: '2026-06-01T12:03:00Z',
      comments: null,
    };
    expect((await letter.post('bas', 'submit')).body.status).toEqual({ ...again, tag: 'submitted' });
    step('4:00');
    const approved = { ...again, approvedBy: `teamlead-tess@${letter.world}`, approvedAt: '2026-06-01T12:04:00Z' };
    expect((await letter.post('tess', 'approve')).body.status).toEqual({ ...approved, tag: 'approved' });
    step('5:00');
    const sent = await letter.post('anna', 'send');
    expect(sent.body.status).toEqual({ ...approved, tag: 'sent', sentAt: '2026-06-01T12:05:00Z' });
    const after = await letter.brief();
    expect(after).toEqual(sent.body);
    expect(after.briefId).toBe(brief.briefId);
    now = '2026-06-01T12:00:00Z';
  });

  it('is created from the template with filled-in passages and one empty placeholder', async () => {
    const { body } = await createLetterClient(service).get('dana');
    const { sections, placeholders } = body.brief;
    const flags = (sections as { sectionKey: string; required: boolean; locked: boolean }[]).map(
      ({ sectionKey, required, locked }) => `${sectionKey} ${required} ${locked}`,
    );
    expect(flags).toEqual([
      'briefhoofd true true',
      'aanhef true true',
      'besluit true false',
      'motivering true false',
      'gevolgen true false',
      'bewijsstukken false false',
      'rechtsmiddelen true true',
      'afsluiting true true',
    ]);
    expect(sectionTextOf(sections, 'aanhef')).toBe(
      'Geachte mevrouw Van Dijk,\n\nOp 20 mei 2026 hebt u herregistratie aangevraagd als verpleegkundige. In deze brief leest u ons besluit.',
    );
    expect(sectionTextOf(sections, 'briefhoofd')).toContain('L. van Dijk\nKleine Houtweg 27 RD\n2012 CB  HAARLEM');
    expect(fillablePlaceholderOf(sections)).toMatchObject({ text: null });
    expect(placeholders).toHaveLength(27);
    expect(placeholders).toContainEqual({
      key: 'big_nummer',
      label: expect.any(String),
      autoResolvable: false,
      fillable: false,
      deprecated: true,
    });
  });

  it('is returned with the passages for all professions and for its own profession, with empty placeholders', async () => {
    const { availablePassages } = (await createLetterClient(service).get('anna')).body;
    expect(availablePassages.map(({ passageId }: { passageId: string }) => passageId)).toEqual([
      'p-besluit-toewijzing',
      'p-besluit-afwijzing-uren',
      'p-besluit-buiten-behandeling',
      'p-motivering-werkervaring',
      'p-motivering-afwijzing',
      'p-motivering-afwijzing-scholing',
      'p-motivering-scholing',
      'p-motivering-in-opleiding',
      'p-motivering-scholing-vp',
      'p-zienswijze-geen',
      'p-zienswijze',
      'p-zienswijze-niet-nodig',
      'p-motivering-buiten-behandeling',
      'p-gevolgen-nieuwe-datum',
      'p-gevolgen-doorhaling',
      'p-gevolgen-doorhaling-nu',
      'p-titel-niet-geherregistreerd',
      'p-titel-geschorst',
      'p-gevolgen-geschorst',
      'p-bewijs-terug',
    ]);
    expect(availablePassages[8]).toMatchObject({ scope: 'beroep', beroep: 'verpleegkundige', version: 4 });
    const expected = { type: 'placeholder', key: 'beroep', text: null, marks: null };
    expect(availablePassages[0].content.paragraphs[0].nodes[1]).toEqual(expected);
  });

  it('shows the full register number to a call with X-Step-Up, and masks it for other calls', async () => {
    const letter = createLetterClient(service);
    expect(await letter.text('briefhoofd')).toContain('*********30');
    const full = await letter.get('dana', { 'x-step-up': '1' });
    expect(sectionTextOf(full.body.brief.sections, 'briefhoofd')).toContain('90000011130');
    expect((await letter.put('dana', full.body.brief.sections)).status).toBe(200);
    await letter.bringTo('approved');
    expect(sectionTextOf((await letter.post('bas', 'send')).body.sections, 'briefhoofd')).toContain('*********30');
  });

  it('leaves the application of the professional InBehandeling when the letter is read', async () => {
    const letter = createLetterClient(service);
    await letter.get('dana');
    const { body } = await service.get('/api/v1/applications', { as: `lotte-van-dijk@${letter.world}` });
    expect(body).toMatchObject([{ status: { tag: 'InBehandeling', referentie: 'HER-2026-000118' } }]);
    const { decisions } = (await service.get('/api/v1/dashboard-view', { as: `lotte-van-dijk@${letter.world}` })).body;
    expect(decisions.herregistratieReason).toContain('HER-2026-000118');
  });

  it('stays a draft in one world when the letter of another world is sent', async () => {
    const [here, there] = [createLetterClient(service), createLetterClient(service)];
    await here.bringTo('sent');
    expect((await there.brief()).status.tag).toBe('draft');
  });

  it('is refused on reject with 400 when the comments are absent, empty or longer than 4,000 characters, and not with 4,000', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    for (const comments of ['', '  \n ', null, 'x'.repeat(4_001)]) {
      const { status, body } = await letter.post('anna', 'reject', { comments });
      expect([status, body.errors[0].pointer]).toEqual([400, '/comments']);
    }
    expect((await letter.post('anna', 'reject', {})).status).toBe(400);
    expect(await letter.post('anna', 'reject', { reason: 'x' })).toMatchObject({ status: 400 });
    expect((await letter.post('anna', 'reject', { comments: '👍'.repeat(4_000) })).status).toBe(200);
  });
});

describe('POST /brief/reset', () => {
  it.each(['draft', 'submitted', 'approved', 'rejected'] as const)(
    'turns a letter in status %s into a draft with the same id and the caller as drafter',
    async (state) => {
      const letter = createLetterClient(service);
      await letter.bringTo(state);
      const before = await letter.brief();
      const { status, body } = await letter.post('tess', 'reset');
      expect(status).toBe(200);
      expect(body.brief).toMatchObject({
        briefId: before.briefId,
        drafterId: `teamlead-tess@${letter.world}`,
        status: { tag: 'draft', submittedBy: null, approvedBy: null, rejectedBy: null, comments: null, sentAt: null },
      });
      expect(fillablePlaceholderOf(body.brief.sections).text).toBeNull();
      expect(body).toEqual((await letter.get('anna')).body);
    },
  );

  it('creates a letter with another id when the letter is sent', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('sent');
    const { briefId } = await letter.brief();
    expect((await letter.post('dana', 'reset')).body.brief.briefId).not.toBe(briefId);
    await letter.bringTo('sent');
    expect((await letter.brief()).status.tag).toBe('sent');
  });

  it('creates the letter in a workspace without one', async () => {
    expect((await createLetterClient(service).post('bas', 'reset')).body.brief.drafterId).toMatch(/^behandelaar-bas@/);
  });
});

describe('an If-Match header on /brief', () => {
  it('refuses a reset with 412 when the workspace has no letter yet', async () => {
    const reset = await createLetterClient(service).post('dana', 'reset', undefined, { 'if-match': '"een-andere.1"' });
    expect([reset.status, reset.body.code]).toEqual([412, 'versie-verouderd']);
  });

  it('with an older version makes save, submit, approve, reject and send fail with 412, and with the current version succeed', async () => {
    const letter = createLetterClient(service);
    const stale = String((await letter.get('dana')).headers.etag);
    const saved = await letter.put('dana', await letter.filledSections(), { 'if-match': stale });
    expect([saved.status, saved.headers.etag === stale]).toEqual([200, false]);
    const refused = await letter.put('bas', [...(await letter.filledSections())], { 'if-match': stale });
    expect([refused.status, refused.body.code]).toEqual([412, 'versie-verouderd']);
    expect((await letter.post('dana', 'submit', undefined, { 'if-match': stale })).status).toBe(412);
    const submitted = await letter.post('dana', 'submit', undefined, { 'if-match': String(saved.headers.etag) });
    expect(submitted.status).toBe(200);
    expect((await letter.post('anna', 'approve', undefined, { 'if-match': stale })).status).toBe(412);
    expect((await letter.post('anna', 'reject', { comments: 'Nee.' }, { 'if-match': stale })).status).toBe(412);
    const approved = await letter.post('anna', 'approve', undefined, { 'if-match': `W/${submitted.headers.etag}` });
    expect(approved.status).toBe(200);
    expect((await letter.post('bas', 'send', undefined, { 'if-match': stale })).status).toBe(412);
    expect((await letter.post('bas', 'send', undefined, { 'if-none-match': '*' })).status).toBe(412);
    const sent = await letter.post('bas', 'send', undefined, { 'if-match': String(approved.headers.etag) });
    expect([sent.status, sent.headers.etag]).toEqual([200, (await letter.get('dana')).headers.etag]);
  });
});

describe('POST /brief/submit', () => {
  it('answers 409 with a pointer for each empty section and each empty or deprecated placeholder', async () => {
    const letter = createLetterClient(service);
    const sections = (await letter.brief()).sections;
    sections[2].blocks = [freeText('  ')];
    sections[4].blocks = [];
    sections[5].blocks = [
      {
        type: 'freeText',
        content: {
          paragraphs: [
            {
              nodes: [
                { type: 'text', text: 'Zie ' },
                { type: 'placeholder', key: 'big_nummer', text: '1' },
                { type: 'placeholder', key: '__proto__', text: 'x' },
                { type: 'placeholder', key: 'zienswijze', text: '  ' },
              ],
            },
          ],
        },
      },
    ];
    expect((await letter.put('dana', sections)).status).toBe(200);
    const { status, body } = await letter.post('dana', 'submit');
    expect([status, body.code]).toEqual([409, 'sectie-onvolledig']);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ['/sections/2', 'sectie-onvolledig'],
      ['/sections/4', 'sectie-onvolledig'],
      ['/sections/3/blocks/0/content/paragraphs/2/nodes/3', 'plaatshouder-open'],
      ['/sections/5/blocks/0/content/paragraphs/0/nodes/1', 'plaatshouder-vervallen'],
      ['/sections/5/blocks/0/content/paragraphs/0/nodes/2', 'plaatshouder-vervallen'],
      ['/sections/5/blocks/0/content/paragraphs/0/nodes/3', 'plaatshouder-open'],
      ['/sections/2', 'besluit-tegenstrijdig'],
    ]);
    expect((await letter.brief()).status.tag).toBe('draft');
  });

  it('answers with the code of the faults when all of them have the same code', async () => {
    const letter = createLetterClient(service);
    expect((await letter.post('dana', 'submit')).body.code).toBe('plaatshouder-open');
    const sections = await letter.filledSections();
    sections[5].blocks = [
      { type: 'freeText', content: { paragraphs: [{ nodes: [{ type: 'placeholder', key: 'naam_minister' }] }] } },
    ];
    await letter.put('dana', sections);
    expect((await letter.post('dana', 'submit')).body.code).toBe('plaatshouder-vervallen');
  });
});

it('an If-Match of the previous letter of a workspace makes a save and a reset of the next letter fail with 412', async () => {
  const letter = createLetterClient(service);
  const stale = { 'if-match': String((await letter.get('dana')).headers.etag) };
  const sections = await letter.filledSections();
  await letter.bringTo('sent');
  await letter.post('dana', 'reset');
  expect((await letter.get('dana')).headers.etag).not.toBe(stale['if-match']);
  expect((await letter.put('dana', sections, stale)).status).toBe(412);
  expect((await letter.post('dana', 'reset', undefined, stale)).status).toBe(412);
  expect((await letter.put('dana', sections)).status).toBe(200);
});

describe('a text of only invisible characters', () => {
  const invisible = '\u200b\u2060\u00ad\u3164 ';

  it('leaves a required section empty, so that submit answers 409 sectie-onvolledig', async () => {
    const letter = createLetterClient(service);
    const sections = await letter.filledSections();
    sections[3].blocks = [freeText(invisible)];
    await letter.put('dana', sections);
    expect(await letter.post('dana', 'submit')).toMatchObject({ status: 409, body: { code: 'sectie-onvolledig' } });
  });

  it('is refused as value of a placeholder with plaatshouder-open, and as comments with 400', async () => {
    const letter = createLetterClient(service);
    const sections = await letter.filledSections();
    fillablePlaceholderOf(sections).text = invisible;
    await letter.put('dana', sections);
    expect((await letter.post('dana', 'submit')).body.code).toBe('plaatshouder-open');
    await letter.put('dana', await letter.filledSections());
    await letter.post('dana', 'submit');
    for (const comments of [invisible, 'omge\u202ekeerd'])
      expect((await letter.post('anna', 'reject', { comments })).status).toBe(400);
  });
});
