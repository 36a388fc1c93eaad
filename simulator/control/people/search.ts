import * as z from 'zod';
import { ConditionError, describeFields, parseCondition } from '../../search/conditions.ts';
import { EXPORT_NOTE, exportPeople, MAX_EXPORT, toCsv } from '../../search/export.ts';
import { createPeopleSearch } from '../../search/search.ts';
import { worldNamed } from '../deps.ts';
import { ok, operation } from '../operation.ts';
import { ControlError } from '../refusals.ts';
import { PeopleFound } from './schema.ts';

const TAG = 'Personas';
/** Maximum and default number of generated citizens in the answer to a search. */
const [MAX_FOUND, DEFAULT_FOUND] = [100, 5];
const MAX_CONDITIONS = 20;

/** Operations that search for personas and generated citizens, and that export generated citizens. */
const search = createPeopleSearch();

export const peopleOperations = [
  operation({
    id: 'people',
    method: 'GET',
    path: '/people',
    tag: TAG,
    description: 'Find personas and generated people by conditions, as they are on their first day',
    guide: [['People in a situation', 'Meer mensen: Zoek mensen', 'people --where status=Geschorst -n 5']],
    query: {
      where: `A condition, such as status=Geschorst or uhd<+6months; repeat it for more. ${describeFields('en').join('; ')}`,
      n: `How many generated people, at most ${MAX_FOUND}; ${DEFAULT_FOUND} when absent.`,
      world: 'Name of the world whose clock counts; default when absent.',
    },
    answers: { 200: PeopleFound },
    handle({ query }, deps) {
      const world = worldNamed({ world: query.get('world') ?? 'default' });
      const here = deps.worlds.at(world);
      const today = here.today();
      const firstDay = deps.worlds.settings(world).clock?.firstDay ?? today;
      const texts = query.getAll('where');
      if (texts.length > MAX_CONDITIONS)
        throw new ControlError(400, 'voorwaarde-onbruikbaar', `Geef ten hoogste ${MAX_CONDITIONS} voorwaarden.`);
      const n = numberIn(query.get('n') ?? String(DEFAULT_FOUND), 'n', MAX_FOUND);
      try {
        const conditions = texts.map((text) => parseCondition(text, today));
        return ok(search(conditions, { n, day: { firstDay, today }, personas: deps.directory.personas() }));
      } catch (error) {
        if (!(error instanceof ConditionError)) throw error;
        throw new ControlError(400, 'voorwaarde-onbruikbaar', error.message);
      }
    },
  }),

  operation({
    id: 'exportPeople',
    method: 'GET',
    path: '/worlds/{world}/people/export',
    tag: TAG,
    description: 'Export generated people as each upstream has them: register, BRP and DUO',
    guide: [
      ['A data set of people, as each upstream has them', 'the links', 'export-people --count 1000 --format csv'],
    ],
    query: {
      count: `How many, from burger-1 on; at most ${MAX_EXPORT}, and 100 when absent.`,
      format: 'json or csv; json when absent.',
    },
    media: 'text/csv',
    answers: { 200: z.unknown() },
    async handle({ params, query }, deps) {
      const world = deps.worlds.at(worldNamed(params));
      const count = numberIn(query.get('count') ?? '100', 'count', MAX_EXPORT);
      const format = query.get('format') ?? 'json';
      if (format !== 'json' && format !== 'csv')
        throw new ControlError(400, 'formaat-onbekend', 'Kies format=json of format=csv.');
      const personen = await exportPeople(world, deps.directory, count);
      if (format === 'json') return ok({ toelichting: EXPORT_NOTE, personen });
      return { status: 200, text: toCsv(personen), headers: { 'Content-Type': 'text/csv; charset=utf-8' } };
    },
  }),
];

/**
 * Returns the number in `text`, the value of the query parameter `name`. Throws a 400 when it is not a whole number
 * from 1 to `max`.
 */
function numberIn(text: string, name: string, max: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  throw new ControlError(400, 'aantal-onbruikbaar', `Geef voor ${name} een heel getal van 1 tot en met ${max}.`);
}
