import { api } from '../app/api.ts';
import type { App, Panel } from '../app/app.ts';
import { field, form, select, setOptions, submitButton, textbox } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { download } from '../elements/download.ts';
import { BEROEPEN } from '../operations.js';
import { texts } from '../texts/texts.ts';

const words = texts.ownPersona;

/**
 * Creates the form that makes a persona: a copy of another persona with the data in the form. The user downloads its
 * file, or stores it in the folder for persona files.
 */
export function personaForm(app: App, part: Panel) {
  const { store } = app;
  const from = select([]);
  const slug = textbox({ required: true, maxlength: '48', placeholder: 'kim-van-dam' });
  const [voornamen, voorvoegsel, geslachtsnaam] = [textbox(), textbox(), textbox()];
  const beroep = select([['', words.same], ...BEROEPEN.map((one) => [one, one] as [string, string])]);
  const status = select(words.statuses);
  const months = textbox({ type: 'number', min: '-120', max: '120' });
  const [straat, huisnummer] = [textbox(), textbox({ type: 'number', min: '1', max: '99999' })];
  const [postcode, woonplaats] = [textbox({ placeholder: '3514CN' }), textbox()];
  const save = submitButton(words.save);
  save.value = 'save';
  save.hidden = true;

  /** Resolves with the content of the persona file for what the user filled in. */
  async function fileOf() {
    const file = await api(
      `personas/${encodeURIComponent(from.value)}/copy?as=${encodeURIComponent(slug.value.trim())}`,
    );
    const naam = {
      // The prefix belongs to the surname: a new surname does not get the prefix of the old one.
      ...(geslachtsnaam.value.trim() !== '' && { voorvoegsel: null }),
      ...filled({ voornamen, voorvoegsel, geslachtsnaam }),
    };
    if (file.person === undefined) {
      const whole = [voornamen, voorvoegsel, geslachtsnaam]
        .map(({ value }) => value.trim())
        .filter(Boolean)
        .join(' ');
      return whole === '' ? file : { ...file, naam: whole };
    }
    const { person } = file;
    const adres = filled({ straat, postcode, woonplaats });
    if (huisnummer.value !== '') Object.assign(adres, { huisnummer: Number(huisnummer.value) });
    if (Object.keys(adres).length > 0) {
      const { gemeente, ...before } = person.verblijfplaats;
      person.verblijfplaats = {
        ...before,
        ...(adres.woonplaats === undefined && gemeente && { gemeente }),
        ...adres,
        soort: 'adres',
      };
    }
    return {
      ...file,
      person: { ...person, naam: { ...person.naam, ...naam }, registraties: registraties(person.registraties) },
    };
  }

  /**
   * Returns the registrations of the new persona. In the first registration, the profession, status and deadline that
   * the user filled in replace the old ones. The list is empty for the status "not registered".
   * @param before the registrations of the persona that is copied
   */
  // biome-ignore lint/suspicious/noExplicitAny: the control API checks the persona
  function registraties([first, ...others]: any[]) {
    if (status.value === 'none') return [];
    if (first === undefined && beroep.value === '') return [];
    const one = { sinds: { days: -1 }, uhd: { years: 5 }, ...first };
    if (beroep.value !== '') one.beroep = beroep.value;
    if (months.value !== '') one.uhd = { months: Number(months.value) };
    if (status.value !== '') one.status = words.asStatus[status.value as 'geschorst'];
    return [one, ...others];
  }

  /** Stores the persona file, or checks and downloads it, depending on the button that was pressed. */
  async function submit(event: Event) {
    const storing = event instanceof SubmitEvent && event.submitter === save;
    await app.run(
      part,
      async () => {
        const file = await fileOf();
        if (storing) return words.saved((await api('personas', { method: 'POST', body: file })).file);
        await api('personas/check', { method: 'POST', body: file });
        download(`${file.slug}.json`, file);
        return words.downloaded(file.slug);
      },
      (said) => said,
    );
  }

  store.on('personas', (personas) => {
    setOptions(
      from,
      personas.map((one) => [one.slug, `${one.naam} (${one.slug})`]),
    );
  });

  const where = h('p', { class: 'utrecht-paragraph hint' });
  return {
    element: h(
      'details',
      { 'data-key': 'eigen-persona' },
      h('summary', {}, words.title),
      h('p', { class: 'utrecht-paragraph hint' }, words.hint),
      form(
        submit,
        field(words.from, from),
        field(words.slug, slug),
        field(words.voornamen, voornamen),
        field(words.voorvoegsel, voorvoegsel),
        field(words.geslachtsnaam, geslachtsnaam),
        field(words.beroep, beroep),
        field(words.status, status),
        field(words.months, months),
        field(words.straat, straat),
        field(words.huisnummer, huisnummer),
        field(words.postcode, postcode),
        field(words.woonplaats, woonplaats),
        submitButton(words.download, 'primary-action'),
        save,
      ),
      where,
    ),
    /** Shows the folder in which the simulator stores persona files; null hides the button to store one. */
    setFolder(folder: string | null) {
      save.hidden = folder === null;
      where.textContent = folder === null ? words.noFolder : words.folder(folder);
    },
  };
}

/** Returns the values of the inputs that are not empty, keyed by name. */
const filled = (inputs: Record<string, HTMLInputElement>) =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([name, { value }]) => (value.trim() ? [[name, value.trim()]] : [])),
  );
