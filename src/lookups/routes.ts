import * as z from 'zod';
import { scholingThreshold } from '../domain/professions.ts';
import { currentRegistration } from '../domain/registraties.ts';
import { decide } from '../domain/rule.ts';
import { ok } from '../http/exchange.ts';
import { forProfessionals } from '../http/operation/operation.ts';
import type { Brp } from '../ports/brp.ts';
import type { Duo } from '../ports/duo.ts';
import { type Register, registerKey } from '../ports/register.ts';
import { toBrpAddress, toDuoLookup, visibleNotes } from './rules.ts';
import { AantekeningDto, BrpAddressDto, DuoLookupDto, IntakePolicyDto } from './schema.ts';

/** The operations that look something up. They store nothing. */
export const lookups = ({ register, brp, duo }: { register: Register; brp: Brp; duo: Duo }) => [
  forProfessionals({
    id: 'notes',
    method: 'GET',
    path: '/notes',
    activity: 'register-raadplegen',
    tag: 'Raadplegen',
    english: 'Returns the notes in the register about the caller.',
    summary: 'Aantekeningen in het register',
    description: 'De openbare aantekeningen die nog gelden bij de registratie van het dashboard, de nieuwste eerst.',
    answers: { 200: z.array(AantekeningDto) },
    answerExample: [{ type: 'Specialisme', omschrijving: 'Interne geneeskunde', datum: '2019-09-01' }],
    upstreams: ['register'],
    async handle({ caller, today, call, onDecision }) {
      const registraties = await register.registraties(registerKey(caller), call);
      const registratie = decide(onDecision, currentRegistration, { registraties, today });
      const aantekeningen = registratie === null ? [] : await register.aantekeningen(registratie.id, call);
      const notes = decide(onDecision, visibleNotes, { aantekeningen, today });
      return ok(notes satisfies AantekeningDto[]);
    },
  }),

  forProfessionals({
    id: 'brpAddress',
    method: 'GET',
    path: '/brp/address',
    activity: 'adres-raadplegen',
    tag: 'Raadplegen',
    english: 'Returns the home address of the caller in the BRP.',
    summary: 'Woonadres volgens de BRP',
    description: '`gevonden: false` betekent dat de BRP dat zegt; als de BRP niet antwoordt, is het een fout.',
    answers: { 200: BrpAddressDto },
    answerExample: {
      gevonden: true,
      adres: { straat: 'Kerkstraat 1 A', postcode: '1012 GG', woonplaats: 'Amsterdam' },
    },
    upstreams: ['brp'],
    async handle({ caller, call, onDecision }) {
      const persoon = caller.bsn === null ? null : await brp.verblijfplaats(caller.bsn, call);
      const address = decide(onDecision, toBrpAddress, { hasBsn: caller.bsn !== null, persoon });
      return ok(address satisfies BrpAddressDto);
    },
  }),

  forProfessionals({
    id: 'duoDiplomas',
    method: 'GET',
    path: '/duo/diplomas',
    activity: 'diplomas-raadplegen',
    tag: 'Raadplegen',
    english: 'Returns the diplomas of the caller at DUO, and the questions for a diploma that DUO does not have.',
    summary: "Diploma's bij DUO, en de vragen bij een ander diploma",
    description: '`diplomas: []` betekent dat DUO er geen heeft; als DUO niet antwoordt, is het een fout.',
    answers: { 200: DuoLookupDto },
    answerExample: {
      diplomas: [
        {
          id: 'd-1',
          naam: 'Hbo-Verpleegkunde',
          instelling: 'Hogeschool Utrecht',
          jaar: 2011,
          beroep: 'verpleegkundige',
          policyQuestions: [],
        },
      ],
      handmatig: {
        beroepen: ['arts', 'verpleegkundige'],
        policyQuestions: [{ id: 'diploma-land', vraag: 'In welk land hebt u uw diploma behaald?', type: 'tekst' }],
      },
    },
    upstreams: ['duo'],
    async handle({ caller, today, call, onDecision }) {
      const diplomas = caller.bsn === null ? [] : await duo.diplomas(caller.bsn, call);
      const lookup = decide(onDecision, toDuoLookup, { hasBsn: caller.bsn !== null, diplomas, today });
      return ok(lookup satisfies DuoLookupDto);
    },
  }),

  forProfessionals({
    id: 'intakePolicy',
    method: 'GET',
    path: '/intake/policy',
    activity: 'register-raadplegen',
    tag: 'Raadplegen',
    english: 'Returns the number of hours below which an intake has a question about training.',
    summary: 'Urendrempel voor de scholingsvraag',
    description: 'Hangt af van het beroep waarin u geregistreerd staat.',
    answers: { 200: IntakePolicyDto },
    answerExample: { scholingThreshold: 2080 },
    upstreams: ['register'],
    async handle({ caller, call, onDecision }) {
      const registraties = await register.registraties(registerKey(caller), call);
      const threshold = decide(onDecision, scholingThreshold, { registraties });
      return ok({ scholingThreshold: threshold } satisfies IntakePolicyDto);
    },
  }),
];
