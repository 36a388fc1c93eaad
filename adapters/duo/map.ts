import type { Diploma } from '../../src/ports/duo.ts';
import type { Beroep } from '../../src/wire/values.ts';
import type { DiplomaWire } from './wire.ts';

/** The keys are codes of programmes (domain.md 2). Others qualify for no profession of this register. */
export const BEROEP_BY_OPLEIDING: ReadonlyMap<string, Beroep> = new Map(
  Object.entries({
    'hbo-verpleegkunde': 'verpleegkundige',
    'mbo-verpleegkundige': 'verpleegkundige',
    'geneeskunde-ma': 'arts',
    'tandheelkunde-ma': 'tandarts',
    'farmacie-ma': 'apotheker',
    fysiotherapie: 'fysiotherapeut',
    verloskunde: 'verloskundige',
    'physician-assistant-ma': 'physician assistant',
    'klinische-technologie-ma': 'klinisch technoloog',
  } as const),
);

/** Null when the diploma was not obtained. */
export function toDiploma(wire: DiplomaWire): Diploma | null {
  if (wire.status !== 'passed' || !wire.behaaldOp) return null;
  return {
    id: wire.diplomaId,
    naam: wire.opleiding.naam,
    instelling: wire.instelling.naam,
    behaaldOp: wire.behaaldOp,
    beroep: BEROEP_BY_OPLEIDING.get(wire.opleiding.code) ?? null,
    taal: wire.opleiding.taal || null,
  };
}
