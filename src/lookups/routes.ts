import * as z from 'zod';
import { forProfessionals, ok } from '../http/operation.ts';
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
    async handle({ caller, today, call }) {
      const registraties = await register.registraties(registerKey(caller), call);
      const aantekeningen = await Promise.all(registraties.map(({ id }) => register.aantekeningen(id, call)));
      return ok(visibleNotes(aantekeningen.flat(), today) satisfies AantekeningDto[]);
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
    async handle({ caller, call }) {
      const persoon = caller.bsn === null ? null : await brp.persoon(caller.bsn, call);
      return ok(toBrpAddress(persoon) satisfies BrpAddressDto);
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
    async handle({ caller, today, call }) {
      const diplomas = caller.bsn === null ? [] : await duo.diplomas(caller.bsn, call);
      return ok(toDuoLookup(diplomas, today) satisfies DuoLookupDto);
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
    async handle({ caller, call }) {
      const registraties = await register.registraties(registerKey(caller), call);
      return ok({ scholingThreshold: scholingThreshold(registraties) } satisfies IntakePolicyDto);
    },
  }),
];
