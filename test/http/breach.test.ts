import { expect, it } from 'vitest';
import * as z from 'zod';
import { findContractBreaches } from '../../simulator/host/journal.ts';
import { dto, textOrNull } from '../../src/wire/primitives.ts';

const answers = { 200: dto('BDto', { naam: textOrNull, geheim: z.boolean() }), 204: null, 201: z.array(z.string()) };

it.each<[string, number, string, string[]]>([
  ['as it is declared', 200, '{"naam":"Sanne","geheim":false}', []],
  ['with a null where that may be', 200, '{"naam":null,"geheim":true}', []],
  ['without a body where there is none', 204, '', []],
  ['of another type', 200, '{"naam":7,"geheim":false}', ['/naam: Invalid input: expected string, received number']],
  ['with a member that is not declared', 200, '{"naam":"x","geheim":true,"bsn":"1"}', ['/: Unrecognized key: "bsn"']],
  ['with a body where there is none', 204, '{}', ['204 hoort geen inhoud te hebben']],
  ['of a status that is not declared', 418, '', ['418 is niet beschreven']],
  ['that is no JSON', 201, '<html>', ['/: Invalid input: expected array, received undefined']],
])('an answer %s has exactly the reported breaches of its declaration', (_, status, body, faults) => {
  expect(findContractBreaches({ answers }, status, body)).toEqual(faults);
});
