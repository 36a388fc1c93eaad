import type { FaultKind, FaultTarget, ServiceFaultKind } from '../../../worlds/faults.ts';

/** Dutch texts about scenarios and faults. */
export const faultTexts = {
  faults: {
    title: 'Scenario’s en storingen',
    scenarios: 'Scenario’s',
    on: 'Storingen die nu aan staan',
    noneOn: 'Er staan geen storingen aan.',
    noneAction: 'Kies een scenario',
    off: 'Zet uit',
    allOff: 'Zet alles uit',
    allOffDone: 'Alle storingen zijn uit.',
    switched: (name: string, on: boolean) => `Scenario ${name} staat ${on ? 'aan' : 'uit'}.`,
    own: 'Eigen storing',
    upstream: 'Bron of dienst',
    operation: 'Operatie',
    code: 'Probleemcode',
    persona: 'Alleen voor persona',
    personaHint: 'sanne-de-wit',
    after: 'Na zoveel aanroepen',
    times: 'Hoeveel keer',
    kind: 'Wat gaat er mis',
    timing: 'Vertraging',
    timings: [
      ['fixed', 'vast'],
      ['range', 'tussen twee waarden'],
      ['lognormal', 'lognormaal'],
    ],
    ms: 'Milliseconden',
    min: 'Minimaal (ms)',
    max: 'Maximaal (ms)',
    median: 'Mediaan (ms)',
    sigma: 'Sigma',
    status: 'Status',
    retryAfter: 'Retry-After (s)',
    probability: 'Kans (0 tot 1)',
    seed: 'Seed',
    add: 'Zet storing aan',
    added: 'De storing staat aan.',
    kinds: {
      refused: 'geen verbinding',
      reset: 'verbinding verbroken',
      lost: 'doet het, maar het antwoord raakt zoek',
      cut: 'antwoord halverwege afgekapt',
      drip: 'antwoord druppelt',
      hang: 'zegt niets',
      latency: 'antwoordt laat',
      status: 'antwoordt met een foutstatus',
      garbage: 'antwoordt met onzin',
      'wrong-schema': 'antwoordt in een andere vorm',
      empty: 'weet van niets',
      problem: 'antwoordt met een probleem',
    },
    serviceKinds: {
      problem: 'antwoordt met een probleem',
      status: 'antwoordt met een foutstatus',
      latency: 'antwoordt laat',
      reset: 'verbinding verbroken',
      cut: 'verbinding verbroken halverwege het uploaden',
      lost: 'doet het, maar het antwoord raakt zoek',
    },
    upstreams: {
      register: 'Register',
      brp: 'BRP',
      duo: 'DUO',
      documenten: 'Documentopslag',
      scanner: 'Virusscanner',
      dienst: 'De dienst zelf',
    },
    chosen: {
      persona: (slug: string) => `alleen ${slug}`,
      after: (calls: number) => `na ${calls} ${calls === 1 ? 'aanroep' : 'aanroepen'}`,
      times: (calls: number) => `${calls} keer`,
    },
    always: 'altijd',
    chance: (p: number) => `kans ${Math.round(p * 100)} %`,
    everything: 'alle operaties',
    part: (scenario: string) => `van scenario ‘${scenario}’`,
  },
} satisfies {
  faults: {
    kinds: Record<FaultKind, string>;
    serviceKinds: Record<ServiceFaultKind, string>;
    upstreams: Record<FaultTarget, string>;
    [name: string]: unknown;
  };
};
