import type { Brieven } from '../../../src/ports/brieven.ts';
import { listOf } from '../../../src/wire/primitives.ts';
import { type JsonClient, pathSegment } from '../../http/request.ts';
import { tolerantListOf } from '../../http/tolerant.ts';
import { throwIfUnclear } from '../index.ts';
import { beroepCodeOf, toOpdracht, toPassage, toSjabloon, toVerzending } from './map.ts';
import { OpdrachtWire, PassageWire, SjabloonWire, VerzondenWire } from './wire.ts';

const Opdrachten = listOf(OpdrachtWire).max(1);
const Passages = tolerantListOf(PassageWire, 1_000);

// With these the register refuses to send a letter.
const REFUSALS = [400, 409, 422];

/**
 * The letters of the register over HTTP (`../openapi.yaml`). The register itself finds the case of the letter of a
 * workspace.
 */
export const createBrieven = (http: JsonClient): Brieven => ({
  async opdracht(which, call) {
    const [found] = await http.ask(
      { method: 'POST', path: '/brieven/opdrachten/zoek', body: which, schema: Opdrachten, retry: true },
      call,
    );
    return found === undefined ? null : toOpdracht(found);
  },

  async sjabloon(templateId, call) {
    const path = `/brieven/sjablonen/${pathSegment(templateId)}`;
    const check = (sjabloon: SjabloonWire) => sjabloon.templateId === templateId;
    const request = { method: 'GET', operation: 'sjabloon', path, schema: SjabloonWire, isLong: true, check } as const;
    return toSjabloon(await http.ask({ ...request, retry: true }, call));
  },

  async passages(beroep, call) {
    const path = `/brieven/passages?beroep=${beroepCodeOf(beroep)}`;
    const found = await http.ask({ method: 'GET', path, schema: Passages, isLong: true, retry: true }, call);
    return found.map(toPassage);
  },

  async verzenden(verzending, sleutel, call) {
    const answer = await http.ask(
      {
        method: 'POST',
        path: '/brieven/verzendingen',
        headers: { 'idempotency-key': sleutel },
        body: toVerzending(verzending),
        schema: VerzondenWire,
        otherwise: (status, ...refusal) =>
          REFUSALS.includes(status) ? 'refused' : throwIfUnclear([408], status, ...refusal),
        headersTimeout: 'submitHeaders',
      },
      call,
    );
    return answer === 'refused' ? 'refused' : { op: answer.verzondenOp };
  },
});
