import * as z from 'zod';
import { ConditionError, describeFields, parseCondition } from '../../search/conditions.ts';
import { EXPORT_NOTE, exportPeople, MAX_EXPORT, toCsv } from '../../search/export.ts';
import { createPeopleSearch } from '../../search/search.ts';
import { worldNamed } from '../deps.ts';
import { ok, operation } from '../operation.ts';
import { ControlError, numberInQuery } from '../refusals.ts';
import { PeopleFound } from './schema.ts';

const TAG = 'Personas';
const [MAX_FOUND, DEFAULT_FOUND] = [100, 5];
const MAX_CONDITIONS = 20;

const number = (name: string, max: number) =>
  numberInQuery('aantal-onbruikbaar', `Geef voor ${name} een heel getal van 1 tot en met ${max}.`, 1, max);

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
    query: z.object({
      where: z
        .array(z.string())
        .default([])
        .describe(
          `A condition, such as status=Geschorst or uhd<+6months; repeat it for more. ${describeFields().join('; ')}`,
        ),
      n: number('n', MAX_FOUND)
        .default(DEFAULT_FOUND)
        .describe(`How many generated people, at most ${MAX_FOUND}; ${DEFAULT_FOUND} when absent.`),
      world: z.string().default('default').describe('Name of the world whose clock counts; default when absent.'),
    }),
    answers: { 200: PeopleFound },
    handle({ query }, deps) {
      const world = worldNamed({ world: query.world });
      const here = deps.worlds.at(world);
      const today = here.today();
      const firstDay = deps.worlds.settings(world).clock?.firstDay ?? today;
      const { where, n } = query;
      if (where.length > MAX_CONDITIONS)
        throw new ControlError('voorwaarde-onbruikbaar', `Geef ten hoogste ${MAX_CONDITIONS} voorwaarden.`);
      try {
        const conditions = where.map((text) => parseCondition(text, today));
        return ok(search(conditions, { n, day: { firstDay, today }, personas: deps.directory.personas() }));
      } catch (error) {
        if (!(error instanceof ConditionError)) throw error;
        throw new ControlError('voorwaarde-onbruikbaar', error.message);
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
    query: z.object({
      count: number('count', MAX_EXPORT)
        .default(100)
        .describe(`How many, from burger-1 on; at most ${MAX_EXPORT}, and 100 when absent.`),
      format: z.string().default('json').describe('json or csv; json when absent.'),
    }),
    media: 'text/csv',
    answers: { 200: z.unknown() },
    async handle({ params, query }, deps) {
      const world = deps.worlds.at(worldNamed(params));
      const { count, format } = query;
      if (format !== 'json' && format !== 'csv')
        throw new ControlError('formaat-onbekend', 'Kies format=json of format=csv.');
      const personen = await exportPeople(world, deps.directory, count);
      if (format === 'json') return ok({ toelichting: EXPORT_NOTE, personen });
      return { status: 200, text: toCsv(personen), headers: { 'Content-Type': 'text/csv; charset=utf-8' } };
    },
  }),
];
