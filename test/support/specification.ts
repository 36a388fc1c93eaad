/**
 * The tables of the interface specification, copied by hand so that the document that we generate has something to be
 * compared with that we did not generate. Legend: s string, b boolean, i32 32-bit integer, [X] list; `!` is non-nullable.
 */
export const RECORDS: Readonly<Record<string, string>> = {
  DashboardViewDto: 'registration RegistrationDto, person PersonDto, decisions HerregistratieDecisionsDto',
  RegistrationDto:
    'registerNummer s, naam s, beroep s, registratiedatum s, geboortedatum s, status RegistrationStatusDto',
  RegistrationStatusDto: 'tag s, herregistratieDatum s, geschorstTot s, reden s, doorgehaaldOp s',
  PersonDto: 'naam s, geboortedatum s, adres AdresDto',
  AdresDto: 'straat s, postcode s, woonplaats s',
  HerregistratieDecisionsDto: 'eligibleForHerregistratie b!, herregistratieReason s',
  AantekeningDto: 'type s, omschrijving s, datum s',
  BrpAddressDto: 'gevonden b!, adres AdresDto',
  DuoLookupDto: 'diplomas [DuoDiplomaDto], handmatig ManualDiplomaPolicyDto',
  DuoDiplomaDto: 'id s, naam s, instelling s, jaar i32!, beroep s, policyQuestions [PolicyQuestionDto]',
  ManualDiplomaPolicyDto: 'beroepen [s], policyQuestions [PolicyQuestionDto]',
  PolicyQuestionDto: 'id s, vraag s, type s',
  IntakePolicyDto: 'scholingThreshold i32!',
  ProblemDetails: 'type s, title s, status i32, detail s, instance s',
};

/** Method, path below `/api/v1` (or from the root), and the successful answer: a record, a list of one, or no body. */
export const ENDPOINTS: readonly (readonly [method: string, path: string, status: number, answer: string | null])[] = [
  ['get', '/health', 200, null],
  ['get', '/health/ready', 200, null],
  ['get', '/dashboard-view', 200, 'DashboardViewDto'],
  ['get', '/notes', 200, '[AantekeningDto]'],
  ['get', '/brp/address', 200, 'BrpAddressDto'],
  ['get', '/duo/diplomas', 200, 'DuoLookupDto'],
  ['get', '/intake/policy', 200, 'IntakePolicyDto'],
];
