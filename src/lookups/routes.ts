import * as z from 'zod';
import { forProfessionals, ok } from '../http/operation.ts';
import { judged } from '../http/why.ts';
import type { Brp } from '../ports/brp.ts';
import type { Duo } from '../ports/duo.ts';
import { type Register, registerKey } from '../ports/register.ts';
import { scholingThreshold, toBrpAddress, toDuoLookup, visibleNotes } from './rules.ts';
import { AantekeningDto, BrpAddressDto, DuoLookupDto, IntakePolicyDto } from './schema.ts';

export const lookups = ({ register, brp, duo }: { register: Register; brp: Brp; duo: Duo }) => [
  forProfessionals({
    id: 'notes',
    method: 'GET',
    path: '/notes',
    tag: 'Raadplegen',
    summary: 'Aantekeningen in het register',
    description: 'De openbare aantekeningen die nog gelden, de nieuwste eerst.',
    answers: { 200: z.array(AantekeningDto) },
    sources: ['register'],
    async handle({ caller, today, call, because }) {
      const registraties = await register.registraties(registerKey(caller), call);
      const lists = await Promise.all(registraties.map(({ id }) => register.aantekeningen(id, call)));
      const aantekeningen = lists.flat();
      const notes = judged(
        because,
        {
          rule: 'visibleNotes',
          source: 'domain.md 4.2',
          facts: () => ({ aantekeningen, today }),
          outcome: (shown) => ({ shown, hidden: aantekeningen.length - shown.length }),
        },
        () => visibleNotes(aantekeningen, today),
      );
      return ok(notes satisfies AantekeningDto[]);
    },
  }),

  forProfessionals({
    id: 'brpAddress',
    method: 'GET',
    path: '/brp/address',
    tag: 'Raadplegen',
    summary: 'Woonadres volgens de BRP',
    description: '`gevonden: false` betekent dat de BRP dat zegt; als de BRP niet antwoordt, is het een fout.',
    answers: { 200: BrpAddressDto },
    sources: ['brp'],
    async handle({ caller, call, because }) {
      const persoon = caller.bsn === null ? null : await brp.persoon(caller.bsn, call);
      const address = judged(
        because,
        { rule: 'toBrpAddress', source: 'domain.md 4.3', facts: () => ({ hasBsn: caller.bsn !== null, persoon }) },
        () => toBrpAddress(persoon),
      );
      return ok(address satisfies BrpAddressDto);
    },
  }),

  forProfessionals({
    id: 'duoDiplomas',
    method: 'GET',
    path: '/duo/diplomas',
    tag: 'Raadplegen',
    summary: "Diploma's bij DUO, en de weg zonder",
    description: '`diplomas: []` betekent dat DUO er geen heeft; als DUO niet antwoordt, is het een fout.',
    answers: { 200: DuoLookupDto },
    sources: ['duo'],
    async handle({ caller, today, call, because }) {
      const diplomas = caller.bsn === null ? [] : await duo.diplomas(caller.bsn, call);
      const lookup = judged(
        because,
        {
          rule: 'toDuoLookup',
          source: 'domain.md 4.6',
          facts: () => ({ hasBsn: caller.bsn !== null, diplomas, today }),
          outcome: ({ diplomas: shown }) =>
            shown?.map(({ id, policyQuestions }) => ({ id, questions: policyQuestions?.map((one) => one.id) })),
        },
        () => toDuoLookup(diplomas, today),
      );
      return ok(lookup satisfies DuoLookupDto);
    },
  }),

  forProfessionals({
    id: 'intakePolicy',
    method: 'GET',
    path: '/intake/policy',
    tag: 'Raadplegen',
    summary: 'Urendrempel voor de scholingsvraag',
    description: 'Hangt af van het beroep waarin u geregistreerd staat.',
    answers: { 200: IntakePolicyDto },
    sources: ['register'],
    async handle({ caller, call, because }) {
      const registraties = await register.registraties(registerKey(caller), call);
      const threshold = judged(
        because,
        { rule: 'scholingThreshold', source: 'domain.md 4.7, "Threshold"', facts: () => ({ registraties }) },
        () => scholingThreshold(registraties),
      );
      return ok({ scholingThreshold: threshold } satisfies IntakePolicyDto);
    },
  }),
];
