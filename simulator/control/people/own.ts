import * as z from 'zod';
import { contentOf } from '../../persona-files/convert.ts';
import type { PersonaFault } from '../../persona-files/rules.ts';
import { MAX_SLUG, personaJsonSchema, SLUG } from '../../persona-files/schema.ts';
import { type ControlDeps, slugOf } from '../deps.ts';
import { diskFull } from '../disk-full.ts';
import { done, ok, operation } from '../operation.ts';
import { ControlError } from '../refusals.ts';
import { PersonaFileBody, PersonaFiles, PersonaSaved } from './schema.ts';

const TAG = 'Personas';
const SCHEMA = '/schemas/persona.json';

export const ownPersonaOperations = [
  operation({
    id: 'personaSchema',
    method: 'GET',
    path: SCHEMA,
    tag: TAG,
    description: 'The JSON Schema of a persona file',
    guide: [['The JSON Schema of a persona file', 'the links', 'persona new kim-van-dam']],
    answers: { 200: z.unknown() },
    handle: () => ok(personaJsonSchema()),
  }),

  operation({
    id: 'personaFiles',
    method: 'GET',
    path: '/personas',
    tag: TAG,
    description: 'List the persona files of the project, and the faults in the files that are refused',
    guide: [['Personas of your own, and faults in their files', 'Personen', 'personas']],
    answers: { 200: PersonaFiles },
    handle(_, deps) {
      const { own, faults } = deps.personaFiles.current();
      const personas = own.map(({ file, persona }) => ({ slug: persona.slug, file }));
      return ok({ folder: deps.personaFiles.folder, personas, faults });
    },
  }),

  operation({
    id: 'personaCopy',
    method: 'GET',
    path: '/personas/{slug}/copy',
    tag: TAG,
    description: 'Make the content of a persona file that begins as a copy of another persona',
    guide: [['A persona like another one', 'Maak een eigen persona', 'persona new kim-van-dam --from sanne-de-wit']],
    query: z.object({ as: z.string().default('').describe('Slug of the new persona.') }),
    answers: { 200: PersonaFileBody },
    handle: ({ params, query, origin }, deps) => ok(copyOf(deps, params.slug ?? '', query.as, origin)),
  }),

  operation({
    id: 'checkPersona',
    method: 'POST',
    path: '/personas/check',
    tag: TAG,
    description: 'Check a persona file without saving it',
    guide: [['The same, checked', 'Maak een eigen persona', 'persona new kim-van-dam']],
    body: PersonaFileBody,
    answers: { 204: null },
    handle({ body }, deps) {
      checkFile(deps, body);
      return done;
    },
  }),

  operation({
    id: 'savePersona',
    method: 'POST',
    path: '/personas',
    tag: TAG,
    description: 'Save a new persona file in the folder of the project; never replaces a file',
    guide: [['The same, saved in the folder', 'Maak een eigen persona', 'persona new kim-van-dam']],
    body: PersonaFileBody,
    answers: { 201: PersonaSaved },
    handle({ body }, deps) {
      const source = checkFile(deps, body);
      return { status: 201, body: { slug: source.slug, file: saveFile(deps, source) } };
    },
  }),
];

/** It extends the persona `from`, with members that a user is likely to change. */
function copyOf({ directory }: ControlDeps, from: string, slug: string, origin: string) {
  const persona = directory.persona(slugOf(from));
  if (persona === undefined)
    throw new ControlError(
      'persona-onbekend',
      `Die persona is er niet. ${directory.suggest(from.slice(0, 64), 'professional').detail}`,
    );
  if (slug.length > MAX_SLUG || !SLUG.test(slug))
    throw new ControlError(
      'persona-ongeldig',
      `Een persona heet met kleine letters, cijfers en streepjes, ten hoogste ${MAX_SLUG}, en niet als burger-1: bijvoorbeeld kim-van-dam.`,
    );
  const { kind, person, ...rest } = contentOf(persona) as { kind: string; person?: Record<string, unknown> };
  const toont = `Gemaakt van ${persona.slug}. Schrijf hier in één zin wat deze persoon laat zien.`;
  return {
    $schema: `${origin}/_simulator${SCHEMA}`,
    slug,
    extends: persona.slug,
    toont,
    ...rest,
    ...(person && {
      person: {
        naam: person.naam,
        verblijfplaats: person.verblijfplaats,
        registraties: person.registraties,
      },
    }),
  };
}

interface CheckedFile {
  readonly slug: string;
  readonly file: string;
  readonly text: string;
}

function checkFile({ personaFiles, directory }: ControlDeps, body: z.output<typeof PersonaFileBody>): CheckedFile {
  const slug = typeof body.slug === 'string' ? body.slug : '';
  const isSlug = slug.length <= MAX_SLUG && SLUG.test(slug);
  if (isSlug && directory.persona(slug) !== undefined)
    throw new ControlError('persona-bestaat', `Er is al een persona ${slug}. Kies een andere naam.`);
  // The name of the file comes from a slug of letters, digits and hyphens, so it stays in the folder.
  const file = isSlug ? `${slug}.json` : 'nieuw.json';
  const source = { file, text: `${JSON.stringify(body, null, 2)}\n` };
  const faults = personaFiles.check(source);
  if (faults.length > 0 || !isSlug) throw personaInvalid(faults);
  return { slug, ...source };
}

const personaInvalid = (faults: readonly PersonaFault[]): ControlError =>
  new ControlError(
    'persona-ongeldig',
    'Deze persona klopt niet.',
    faults.map(({ pointer, detail, allowed }) => ({
      pointer,
      detail: allowed === undefined ? detail : `${detail} Allowed: ${allowed.join(', ')}.`,
    })),
  );

function saveFile({ personaFiles }: ControlDeps, { file, text }: CheckedFile): string {
  if (personaFiles.folder === null)
    throw new ControlError('geen-map', 'Er is geen map voor eigen personas. Zet PERSONAS_DIR, of DATA_DIR op een map.');
  try {
    return personaFiles.save({ file, text });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new ControlError('persona-bestaat', `Er is al een bestand ${file}. Het is niet veranderd.`);
    if (diskFull(error) !== null) throw error;
    throw new ControlError(
      'map-onbruikbaar',
      `In de map voor personas kan niet worden geschreven (${code ?? 'onbekend'}).`,
    );
  }
}
