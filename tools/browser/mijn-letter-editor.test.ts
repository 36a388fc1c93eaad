import { describe, expect, it } from 'vitest';
import { createLetterClient } from '../../test/support/letter.ts';
import { expectSoon } from './support/console.ts';
import { findings, useMijn } from './support/mijn.ts';

const { service, look } = useMijn();

/** A node of a rich text, as the API has it. */
type Node = { type: string; text: string | null; marks: string[] | null; key: string | null };
const node = (text: string, ...marks: string[]): Node => ({ type: 'text', text, marks, key: null });
const BREAK: Node = { type: 'lineBreak', text: null, marks: null, key: null };

/** Opens the letter of a world, with a new text of which the drafter is about to type the first letter. */
async function write(world: string) {
  const letter = createLetterClient(service(), world);
  const sections = async () => (await letter.get('dana')).body.brief.sections;
  const before = await sections();
  const dana = await look('drafter-dana', world, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = dana;
  await dana.press('Voeg toe aan Gevolgen van dit besluit');
  const text = page.getByRole('textbox', { name: 'Tekst van eigen tekst' });
  await text.and(page.locator(':focus')).waitFor();
  /** Presses these keys after each other. A text in quotes is typed. */
  async function keys(...all: string[]) {
    for (const one of all) {
      if (one.startsWith("'")) await page.keyboard.type(one.slice(1, -1));
      else await page.keyboard.press(one);
    }
  }
  /** The text as it is saved: the last block of its section. */
  const saved = async () => {
    const { blocks } = (await sections()).find((one: { sectionKey: string }) => one.sectionKey === 'gevolgen');
    return blocks.at(-1).content.paragraphs;
  };
  const tool = (name: string) => page.getByRole('button', { name, exact: true });
  return { letter, dana, page, text, keys, saved, tool, sections, before };
}

describe('the editor of a letter', () => {
  it('saves what is typed with marks, lists, line breaks and a placeholder, and shows it again after a reload', async () => {
    const { dana, page, text, keys, saved, tool } = await write('typen');
    await keys("'Let op: '", 'Control+b', "'nu'", 'Control+b', "' en '", 'Control+i', "'straks'", 'Control+u', "'!'");
    await expectSoon(() => tool('Onderstreept').getAttribute('aria-pressed')).toBe('true');
    expect(await tool('Vet').getAttribute('aria-pressed')).toBe('false');
    await keys('Enter', 'Control+i', 'Control+u', "'Eerst'", 'Shift+Enter', "'dan'", 'Enter', 'Control+Shift+Digit8');
    await keys("'een'", 'Enter', "'twee'", 'Enter', 'Enter', 'Control+Shift+Digit7', "'cijfer'", 'Enter', 'Backspace');
    await keys("'Beste '");
    await page.getByLabel('Invulplek invoegen').selectOption('Naam');
    await dana.press('Voeg in in eigen tekst');
    await text.and(page.locator(':focus')).waitFor();
    await keys("', tot ziens'");
    const typed: { nodes: Node[]; list: string | null }[] = [
      {
        nodes: [
          node('Let op: '),
          node('nu', 'bold'),
          node(' en '),
          node('straks', 'italic'),
          node('!', 'italic', 'underline'),
        ],
        list: null,
      },
      { nodes: [node('Eerst'), BREAK, node('dan')], list: null },
      { nodes: [node('een')], list: 'bullet' },
      { nodes: [node('twee')], list: 'bullet' },
      { nodes: [node('cijfer')], list: 'number' },
      {
        nodes: [
          node('Beste '),
          { type: 'placeholder', text: 'L. van Dijk', marks: null, key: 'naam' },
          node(', tot ziens'),
        ],
        list: null,
      },
    ];
    await expectSoon(saved).toEqual(typed);
    // Items after each other are one list.
    expect(await text.getByRole('list').allInnerTexts()).toEqual(['een\ntwee', 'cijfer']);
    expect(await text.getByRole('list').getByRole('listitem').allInnerTexts()).toEqual(['een', 'twee', 'cijfer']);
    expect(await findings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    const drawn = await text.innerText();
    await dana.sees('Bewaard');
    await page.reload();
    await dana.press('Bewerk eigen tekst');
    await text.and(page.locator(':focus')).waitFor();
    expect(await tool('Vet').getAttribute('aria-pressed')).toBe('false');
    expect(await text.innerText()).toBe(drawn);
    await keys('Control+End', "'.'");
    await expectSoon(saved).toEqual(
      typed.with(-1, {
        ...(typed.at(-1) as (typeof typed)[0]),
        nodes: [...(typed.at(-1)?.nodes ?? []).slice(0, 2), node(', tot ziens.')],
      }),
    );
  });

  it('changes the selection with a button, and undoes and repeats each edit', async () => {
    const { page, keys, saved, tool } = await write('knoppen');
    await keys("'een twee'", 'Shift+Control+ArrowLeft');
    await tool('Vet').click();
    await expectSoon(saved).toEqual([{ nodes: [node('een '), node('twee', 'bold')], list: null }]);
    expect(await tool('Vet').getAttribute('aria-pressed')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await tool('Opsomming').focus();
    await keys('Enter', 'Delete', "'x'");
    await expectSoon(saved).toEqual([{ nodes: [node('een '), node('x', 'bold')], list: 'bullet' }]);
    await keys('Control+z', 'Control+z');
    await expectSoon(saved).toEqual([{ nodes: [node('een '), node('twee', 'bold')], list: null }]);
    await keys('Control+Shift+z');
    await expectSoon(saved).toEqual([{ nodes: [node('een '), node('twee', 'bold')], list: 'bullet' }]);
    await keys('Control+a', 'Control+x', 'Control+v');
    await expectSoon(saved).toEqual([{ nodes: [node('een '), node('twee', 'bold')], list: 'bullet' }]);
  });

  it('changes only the paragraph that a triple click selects, with a button and by typing', async () => {
    const { text, keys, saved, tool } = await write('drie-keer');
    await keys("'een'", 'Enter', "'twee'");
    await text.getByText('een').click({ clickCount: 3 });
    await tool('Opsomming').click();
    const second = { nodes: [node('twee')], list: null };
    await expectSoon(saved).toEqual([{ nodes: [node('een')], list: 'bullet' }, second]);
    await text.getByText('een').click({ clickCount: 3 });
    await keys("'drie'");
    await expectSoon(saved).toEqual([{ nodes: [node('drie')], list: 'bullet' }, second]);
  });

  it('gives the marks that are chosen before it to what an input method composes', async () => {
    const { page, keys, saved } = await write('samenstellen');
    const input = await page.context().newCDPSession(page);
    await keys("'een '", 'Control+b');
    for (const composed of ['´', 'é']) {
      const caret = { selectionStart: 1, selectionEnd: 1 };
      await input.send('Input.imeSetComposition', { text: composed, ...caret });
    }
    await input.send('Input.insertText', { text: 'é' });
    await expectSoon(saved).toEqual([{ nodes: [node('een '), node('é', 'bold')], list: null }]);
    await keys("'n'", 'Control+z');
    await expectSoon(saved).toEqual([{ nodes: [node('een ')], list: null }]);
  });

  it('takes what a letter can hold of pasted markup, and plain text with paragraphs', async () => {
    const { dana, page, text, keys, saved } = await write('plakken');
    const copy = (types: Record<string, string>) =>
      page.evaluate(
        `navigator.clipboard.write([new ClipboardItem({ ${Object.entries(types).map(
          ([type, content]) => `'${type}': new Blob([${JSON.stringify(content)}], { type: '${type}' })`,
        )} })])`,
      );
    await copy({
      'text/html':
        '<h1>Kop</h1><p><a href="tel:1"><strong>een</strong></a></p><img src="x"><ul><li>punt</li></ul><table><tr><td>2024<td>800</table><table><tr><td><p>los</p><p>ook</p></table><p>&nbsp;</p><ol><li><p>twee</p></li></ol>',
      'text/plain': 'iets anders',
    });
    await keys("'Voor '", 'Control+v');
    await dana.sees('De afbeelding is niet geplakt: in een brief kan alleen tekst.');
    await keys("' na'");
    await expectSoon(saved).toEqual([
      { nodes: [node('Voor '), node('Kop', 'bold')], list: null },
      { nodes: [node('een', 'bold')], list: null },
      { nodes: [node('punt')], list: 'bullet' },
      { nodes: [node('2024; 800')], list: null },
      { nodes: [node('los')], list: null },
      { nodes: [node('ook')], list: null },
      { nodes: [node('twee na')], list: 'number' },
    ]);
    expect(await text.locator('h1, a, img:not(.ProseMirror-separator), [style]').count()).toBe(0);
    expect(await page.getByText('De afbeelding is niet geplakt').count()).toBe(0);
    await keys('Control+z', 'Control+z');
    await expectSoon(saved).toEqual([{ nodes: [node('Voor ')], list: null }]);
    await copy({ 'text/plain': 'Kop\u202e\t1\r\n\r\neen\n' });
    await keys('Control+v', "' na'");
    await expectSoon(saved).toEqual([
      { nodes: [node('Voor Kop 1')], list: null },
      { nodes: [node('een na')], list: null },
    ]);
  });

  it('takes the lists, the marks and the links of a text from Word and from Google Docs, without what was deleted', async () => {
    const { page, saved } = await write('plakken-uit-word');
    const item = (marker: string, words: string) =>
      `<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>${marker}<span>&nbsp; </span></span>${words}</p>`;
    const styled = (style: string) => `<span style="color:red; ${style}">${style.split(':')[1]}</span>`;
    const html = `${item('·', 'punt')}${item('o', 'punt')}${item('1.', 'cijfer')}<b style="font-weight:normal" id="docs-internal-guid-1"><p>
      ${styled('font-weight:700')} ${styled('font-style:italic;font-weight:bold')} ${styled('mso-bidi-font-weight:bold')}</p></b>
      <p>Zie <a href="https://a.nl/b">hier</a>, <a href="https://www.a.nl/">www.a.nl</a>, <a href="mailto:a@b.nl">a@b.nl</a> en <a href="#_ftn1">1</a>.</p>
      <p>uw <del>oude</del><s>oude</s><strike>oude</strike>${styled('text-decoration:line-through')}<ins>nieuwe</ins> adres</p>`;
    // The clipboard of a test would clean the markup, which that of Word does not.
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', ${JSON.stringify(html)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }`);
    await expectSoon(saved).toEqual([
      { nodes: [node('punt')], list: 'bullet' },
      { nodes: [node('punt')], list: 'bullet' },
      { nodes: [node('cijfer')], list: 'number' },
      {
        nodes: [node('700', 'bold'), node(' '), node('italic;font-weight', 'bold', 'italic'), node(' bold')],
        list: null,
      },
      { nodes: [node('Zie hier (a.nl/b), www.a.nl, a@b.nl en 1.')], list: null },
      { nodes: [node('uw nieuwe adres')], list: null },
    ]);
  });

  it('moves a text with its marks, lists and placeholders', async () => {
    const { dana, page, text, keys, saved } = await write('verplaatsen');
    await keys('Control+b', "'Kop'", 'Control+b', 'Enter', 'Control+Shift+Digit8', "'punt '");
    await page.getByLabel('Invulplek invoegen').selectOption('Naam');
    await dana.press('Voeg in in eigen tekst');
    await text.and(page.locator(':focus')).waitFor();
    const typed = [
      { nodes: [node('Kop', 'bold')], list: null },
      {
        nodes: [node('punt '), { type: 'placeholder', text: 'L. van Dijk', marks: null, key: 'naam' }],
        list: 'bullet',
      },
    ];
    await expectSoon(saved).toEqual(typed);
    await keys('Control+a', 'Control+x');
    await expectSoon(saved).toEqual([]);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Kop\npunt L. van Dijk');
    await keys('Control+v');
    await expectSoon(saved).toEqual(typed);
  });

  it('takes a placeholder as a whole, and lets it be filled in beside the text', async () => {
    const { dana, page, text, keys, saved } = await write('invulplek');
    await keys("'Over '");
    await page.getByLabel('Invulplek invoegen').selectOption('Beoordeelde periode');
    await dana.press('Voeg in in eigen tekst');
    const value = text.getByRole('img', { name: 'Beoordeelde periode: ' });
    await value.and(text.getByLabel('nog leeg')).click();
    expect(await value.innerText()).toBe('[Beoordeelde periode]');
    await page.locator('#invul-periode_beoordeeld:focus').waitFor();
    await page.keyboard.type('mei 2026');
    await expectSoon(async () => (await text.innerText()).trimEnd()).toBe('Over mei 2026');
    expect(await value.getAttribute('aria-label')).toBe('Beoordeelde periode: mei 2026');
    const period = { type: 'placeholder', text: 'mei 2026', marks: null, key: 'periode_beoordeeld' };
    await expectSoon(saved).toEqual([{ nodes: [node('Over '), period], list: null }]);
    await text.focus();
    await keys('Control+End', 'Backspace');
    await expectSoon(saved).toEqual([{ nodes: [node('Over ')], list: null }]);
    await keys('Control+z');
    await expectSoon(saved).toEqual([{ nodes: [node('Over '), period], list: null }]);
  });

  it('lets a reason be filled in on several lines, as one paragraph', async () => {
    const { dana, page, keys, sections } = await write('reden');
    await page.getByLabel('Tekst toevoegen aan Motivering').selectOption('Te weinig werkervaring (bij afwijzing)');
    await dana.press('Voeg toe aan Motivering');
    const field = page.getByLabel('Reden van de afwijzing');
    await page.evaluate("navigator.clipboard.writeText('twee\\r\\ndrie')");
    await field.focus();
    await keys("'een !'", 'Enter', 'ArrowLeft', 'Control+v', "' vier'");
    expect(await field.inputValue()).toBe('een twee drie vier!');
    expect(await page.locator('textarea').count()).toBe(1);
    await expectSoon(async () => JSON.stringify(await sections())).toContain('"een twee drie vier!"');
  });

  it('saves a text that was not touched, or is as it was again, exactly as it was', async () => {
    const { dana, page, keys, saved, sections, before } = await write('onaangeraakt');
    await keys("'x'");
    await expectSoon(saved).toEqual([{ nodes: [node('x')], list: null }]);
    await dana.press('Bewerk Genoeg werkervaring (bij toewijzing)');
    const text = page.getByRole('textbox', { name: 'Tekst van Genoeg werkervaring (bij toewijzing)' });
    await text.and(page.locator(':focus')).waitFor();
    const tools = page.getByRole('group', { name: 'Opmaak van Genoeg werkervaring (bij toewijzing)' });
    expect(await tools.locator('[aria-pressed=true]').allInnerTexts()).toEqual(['Vet']);
    await keys("'x'");
    await dana.sees('Standaardtekst: Genoeg werkervaring (bij toewijzing) Aangepast');
    await dana.press('Klaar Genoeg werkervaring (bij toewijzing)');
    await page.getByText('Toon de standaardtekst').click();
    await expectSoon(() => page.locator('details[open] h2, details[open] p').first().innerText()).toBe(
      'Waarom hebben wij dit besloten?',
    );
    await dana.press('Bewerk Genoeg werkervaring (bij toewijzing)');
    await page.getByRole('button', { name: 'Standaardtekst terugzetten' }).click();
    await page.getByText('Toon de standaardtekst').waitFor({ state: 'detached' });
    const undo = page
      .getByRole('group', { name: 'Opmaak van Genoeg werkervaring (bij toewijzing)' })
      .getByText('Ongedaan maken');
    for (const isEdited of [true, false]) {
      await undo.click();
      await page.getByText('Toon de standaardtekst').waitFor({ state: isEdited ? 'attached' : 'detached' });
    }
    await page
      .getByText('Standaardtekst: Genoeg werkervaring (bij toewijzing) Aangepast')
      .waitFor({ state: 'detached' });
    await dana.press('Verwijder… eigen tekst');
    await dana.press('Annuleren');
    await dana.press('Verwijder… eigen tekst');
    await dana.press('Ja, verwijder de tekst');
    await expectSoon(async () => JSON.stringify(await sections())).toBe(JSON.stringify(before));
  });

  it('leads to the empty places of a standard text that is added, and says to a screen reader which these are', async () => {
    const { dana, page } = await write('leeg');
    const status = page.getByRole('region', { name: 'Motivering' }).getByRole('status');
    const add = async (name: string) => {
      await page.getByLabel('Tekst toevoegen aan Motivering').selectOption(name);
      await dana.press('Voeg toe aan Motivering');
      await page.locator('#toevoegen-motivering:focus').waitFor();
    };
    await page.getByRole('link', { name: '1 plek nog leeg' }).waitFor();
    await add('Te weinig werkervaring (bij afwijzing)');
    await expectSoon(() => status.innerText()).toBe(
      'Te weinig werkervaring (bij afwijzing) toegevoegd. Vul nog in: Beoordeelde periode, Uren die meetellen, Reden van de afwijzing.',
    );
    await dana.fill('Beoordeelde periode', 'mei 2026');
    await page.getByRole('link', { name: '2 plekken nog leeg' }).click();
    await page.locator('#invul-uren_meegeteld:focus').waitFor();
    await page.keyboard.type('800');
    await dana.fill('Reden van de afwijzing', 'de reden');
    await page.getByRole('link', { name: 'nog leeg' }).waitFor({ state: 'detached' });
    // A text in place of another has what was filled in there.
    await dana.press('Verwijder Genoeg werkervaring (bij toewijzing)');
    await dana.press('Verwijder Te weinig werkervaring (bij afwijzing)');
    await add('Genoeg werkervaring (bij toewijzing)');
    await expectSoon(() => status.innerText()).toBe('Genoeg werkervaring (bij toewijzing) toegevoegd.');
  });

  it('says to a screen reader where a text is that moved up, and which text is removed, also when it was added before', async () => {
    const { dana, page } = await write('verplaatst');
    const status = page.getByRole('region', { name: 'Motivering' }).getByRole('status');
    const second = 'Te weinig werkervaring (bij afwijzing)';
    for (const _ of ['once', 'again']) {
      await page.getByLabel('Tekst toevoegen aan Motivering').selectOption(second);
      await dana.press('Voeg toe aan Motivering');
      await expectSoon(() => status.innerText()).toContain(`${second} toegevoegd.`);
      await dana.press(`Omhoog ${second}`);
      await expectSoon(() => status.innerText()).toBe(`${second} staat nu op plaats 1 van 2.`);
      await dana.press(`Verwijder ${second}`);
      await expectSoon(() => status.innerText()).toBe(`${second} verwijderd.`);
    }
  });

  it('shows what the service fills in, also in a standard text that was added since', async () => {
    const { dana, page } = await write('toegevoegd');
    const section = page.getByRole('region', { name: 'Motivering' });
    await dana.press('Verwijder Genoeg werkervaring (bij toewijzing)');
    await expectSoon(() => section.innerText()).toContain('Hier staat nog niets.');
    await dana.sees('Bewaard');
    await page.getByLabel('Tekst toevoegen aan Motivering').selectOption('Te weinig werkervaring (bij afwijzing)');
    await dana.press('Voeg toe aan Motivering');
    await expectSoon(() => section.innerText()).toContain('De norm voor uw beroep is 2.080 uur');
    await expectSoon(() => page.locator('.paper').innerText()).toContain('De norm voor uw beroep is 2.080 uur');
  });

  it('has no editor for a colleague who judges, who sees which texts are standard, and has fixed text folded, which the paper shows', async () => {
    const { page, keys, saved } = await write('vast');
    await keys("'x'", 'Backspace');
    await expectSoon(saved).toEqual([]);
    const fixed = page.locator('.section--locked');
    expect(await fixed.count()).toBeGreaterThan(2);
    expect(await fixed.locator('button, [contenteditable]').count()).toBe(0);
    expect(await fixed.locator('.block').filter({ visible: true }).count()).toBe(0);
    const anna = await look('approver-anna', 'vast');
    const objection = 'U kunt uw bezwaar per post of digitaal sturen:';
    await anna.page.getByRole('region', { name: 'Op papier' }).getByText(objection).waitFor();
    await anna.sees('Standaardtekst: Toewijzing');
    const section = anna.page.getByRole('region', { name: 'Bezwaar' });
    expect(await section.getByText(objection).isVisible()).toBe(false);
    await section.getByText('Vaste tekst').click();
    await section.getByText(objection).waitFor();
    expect(await anna.page.getByText('Verplicht').count()).toBe(0);
    expect(await anna.page.getByText('Eigen tekst').count()).toBe(0);
    expect(await anna.page.locator('[contenteditable]').count()).toBe(0);
  });

  it('has beside the text the same paragraph on paper, and a line that leads to what was not saved because a colleague changed it', async () => {
    const { letter, dana, page, text, keys, sections } = await write('ernaast');
    const printed = page.getByRole('region', { name: 'Op papier' }).getByText('Onderaan getypt.');
    await keys("'Onderaan getypt.'");
    await expectSoon(async () => {
      const [beside, paper] = [await text.boundingBox(), await printed.boundingBox()];
      return beside && paper && paper.y > 0 && paper.y + paper.height < (page.viewportSize()?.height ?? 0);
    }).toBe(true);
    await expectSoon(async () => JSON.stringify(await sections())).toContain('Onderaan getypt.');
    const theirs = JSON.parse(JSON.stringify(await sections()).replace('Onderaan getypt.', 'Bovenaan getypt.'));
    await letter.put('bas', theirs);
    await keys("' Meer.'");
    await page.locator('.compare').waitFor();
    await dana.sees('Of een collega heeft de brief veranderd.');
    expect((await page.locator('.compare tbody').innerText()).split(/[\t\n]+/)).toEqual([
      'Gevolgen van dit besluit',
      'Onderaan getypt. Meer.',
      'Bovenaan getypt.',
    ]);
    // A screen reader says which words differ.
    const heard = await page.locator('.compare tbody').ariaSnapshot();
    expect(heard).toMatch(
      /"\[anders: Onderaan ?\] getypt\. \[anders: Meer\. ?\]"[\s\S]+"\[anders: Bovenaan ?\] getypt\."/,
    );
    expect(await page.locator('.compare mark').allTextContents()).toEqual(['Onderaan', 'Meer.', 'Bovenaan']);
    const line = page.getByRole('link', { name: 'Kies een versie' });
    await expectSoon(async () => (await line.boundingBox())?.y).toBeGreaterThan(0);
    await line.click();
    await page.locator('#bewaard:focus').waitFor();
  });

  it('says which section a colleague changed too when the words are the same', async () => {
    const { letter, page, keys, sections, saved } = await write('opmaak');
    await keys("'Let op.'");
    await expectSoon(saved).toEqual([{ nodes: [node('Let op.')], list: null }]);
    const theirs = JSON.stringify(await sections()).replace(
      '"text":"Let op.","marks":[]',
      '"text":"Let op.","marks":["bold"]',
    );
    await letter.put('bas', JSON.parse(theirs));
    await keys('Control+a', 'Control+i');
    await page.locator('.compare').waitFor();
    expect((await page.locator('.compare tbody').innerText()).split(/[\t\n]+/)).toEqual([
      'Gevolgen van dit besluit',
      'Dezelfde woorden, met een andere opmaak.',
      'Dezelfde woorden, met een andere opmaak.',
    ]);
  });
});
