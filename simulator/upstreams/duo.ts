/** The simulated diploma register of DUO, with the contract `adapters/duo/openapi.yaml`. */
import type { DiplomaWire } from '../../adapters/duo/wire.ts';
import type { Resident } from '../people/resident.ts';
import {
  json,
  refusal,
  type SimulatedAnswer,
  type SimulatedOperation,
  type SimulatedRequest,
} from '../transport/operation.ts';
import type { World } from '../worlds/index.ts';

/** The operations of the simulated DUO register. The first one that matches a request handles it. */
export const duoOperations: readonly SimulatedOperation<World>[] = [
  {
    name: 'diplomas',
    method: 'POST',
    path: '*/diplomas/raadplegen',
    emptyBody: { gevonden: false, diplomas: [] },
    run: raadplegen,
  },
];

function raadplegen(world: World, { headers, body }: SimulatedRequest): SimulatedAnswer {
  if (!headers.get('x-doelbinding')) return refusal(400, 'Ongeldige vraag', 'De kopregel X-Doelbinding ontbreekt.');
  const bsn = (body as { burgerservicenummer?: unknown } | null | undefined)?.burgerservicenummer;
  if (typeof bsn !== 'string') return refusal(400, 'Ongeldige vraag', 'Geef burgerservicenummer.');
  const found = world.byBsn(bsn);
  const diplomas = found === null ? [] : diplomasOf(found.resident);
  return json({ gevonden: diplomas.length > 0, diplomas: diplomas.map(toWire) });
}

/** Returns the diplomas of a resident that are in the diploma register of DUO, which has no old ones. */
export const diplomasOf = ({ diplomas }: Resident): Diploma[] => diplomas.filter(isInDuo);

type Diploma = Resident['diplomas'][number];

/** The date from which the register of DUO has diplomas, keyed by kind of diploma (domain.md 2). */
const DUO_SINCE = { 'vocational-diploma': '2007-01-01', bachelor: '1996-01-01', master: '1996-01-01' };

/** Returns true when DUO has this diploma. Without a date, it belongs to a study in progress, which DUO also has. */
const isInDuo = ({ opleiding, behaaldOp }: Diploma): boolean =>
  behaaldOp === null || behaaldOp >= DUO_SINCE[opleiding.soort];

const toWire = ({ id, opleiding, instelling, behaaldOp }: Diploma): DiplomaWire => ({
  diplomaId: id,
  opleiding: { ...opleiding },
  instelling: { ...instelling },
  behaaldOp,
  status: behaaldOp === null ? 'in-progress' : 'passed',
});
