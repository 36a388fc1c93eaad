/** Letters at the simulated register: what they are about, what they are written from, and what became of them. */
import type {
  AlineaWire,
  OpdrachtWire,
  PassageWire,
  SjabloonWire,
  VerzendingWire,
} from '../../../adapters/register/brieven/wire.ts';
import { OPDRACHT } from '../../../fixtures/brief/opdracht.ts';
import { PASSAGES } from '../../../fixtures/brief/passages.ts';
import { HERREGISTRATIE_BESLUIT } from '../../../fixtures/brief/sjabloon.ts';
import { loginOf } from '../../people/directory.ts';
import { json, type Params, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { World } from '../../worlds/index.ts';

/** The current letter of every world is about the same persona's running request (domain.md 5). */
export function opdracht(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const { werkruimte, opdrachtId } = (body ?? {}) as Record<string, unknown>;
  if (typeof werkruimte === 'string') return json(opdrachtVan(world, loginOf(werkruimte, OPDRACHT.over)));
  if (typeof opdrachtId === 'string') {
    const [, login = ''] = opdrachtId.split('.');
    return json(opdrachtVan(world, login).filter((one) => one.opdrachtId === opdrachtId));
  }
  return refusal(400, 'Ongeldige zoekvraag', 'Geef werkruimte of opdrachtId.');
}

function opdrachtVan(world: World, login: string): OpdrachtWire[] {
  const found = world.byLogin(login);
  const [registratie] = found?.resident.registraties ?? [];
  const aanvraag = found?.resident.aanvragen.find(({ tag }) => tag === 'InBehandeling');
  if (found === null || registratie === undefined || !aanvraag?.referentie) return [];
  // From here on there is a letter with dates in it, and a story that begins anew tomorrow would contradict it.
  world.state.settle(login, found.firstDay);
  return [
    {
      opdrachtId: `${aanvraag.referentie}.${login}`,
      templateId: OPDRACHT.templateId,
      beroepCode: registratie.beroepCode,
      referentie: aanvraag.referentie,
      indiener: found.resident.bsn === null ? { loginId: login } : { burgerservicenummer: found.resident.bsn },
      registratieId: `${registratie.nummer}.${login}`,
      datumAanvraag: aanvraag.begonnenOp,
      urenOpgegeven: OPDRACHT.urenOpgegeven,
      correspondentieadres: null,
      opsteller: loginOf(found.world, OPDRACHT.opsteller),
      passages: [...OPDRACHT.passages],
    },
  ];
}

const alineas = (texts: readonly string[]): AlineaWire[] => texts.map((tekst) => ({ lijst: null, tekst }));

export function sjabloon(_: World, __: SimulatedRequest, { templateId = '' }: Params): SimulatedAnswer {
  const { velden, secties, ...rest } = HERREGISTRATIE_BESLUIT;
  if (templateId !== rest.templateId) return refusal(404, 'Onbekend sjabloon', 'Er is geen sjabloon met dit id.');
  return json({
    ...rest,
    velden: (['automatisch', 'invulbaar', 'vervallen'] as const).flatMap((soort) =>
      Object.entries(velden[soort]).map(([sleutel, omschrijving]) => ({ sleutel, omschrijving, soort })),
    ),
    secties: secties.map((sectie) => ({ ...sectie, alineas: alineas(sectie.alineas) })),
  } satisfies SjabloonWire);
}

export function passages(_: World, { query }: SimulatedRequest): SimulatedAnswer {
  const beroepCode = query.get('beroep');
  const offered = PASSAGES.filter((one) => one.beroepCode === null || one.beroepCode === beroepCode);
  return json(
    offered.map(({ tekst, ...rest }) => ({ ...rest, versie: 1, alineas: alineas([tekst]) }) satisfies PassageWire),
  );
}

/** A letter with these words in it is not delivered: for seeing what a refusal looks like. */
const REFUSED = /niet verzenden/i;

export function verzend(world: World, { headers, body }: SimulatedRequest): SimulatedAnswer {
  const sleutel = headers.get('idempotency-key');
  const { referentie, kanaal, inhoud } = (body ?? {}) as Partial<VerzendingWire>;
  if (!sleutel) return refusal(400, 'Ongeldige verzending', 'De kopregel Idempotency-Key ontbreekt.');
  if (!referentie || !kanaal || !inhoud)
    return refusal(400, 'Ongeldige verzending', 'Geef referentie, kanaal en inhoud.');
  const tekst = plain(inhoud);
  if (REFUSED.test(tekst))
    return refusal(422, 'Niet verzonden', 'In de brief staat dat hij niet verzonden moet worden.');
  const { state, name } = world;
  const { verzendingId } = state.addVerzending({
    world: name,
    sleutel,
    referentie,
    kanaal,
    tekst,
    verzondenOp: world.today(),
  });
  return { status: 202, body: { verzendingId } };
}

/** The letter as its reader has it before them. */
function plain({ secties }: VerzendingWire['inhoud']): string {
  return secties
    .map(({ titel, alineas }) => {
      const lines = alineas.map(({ lijst, delen }, index) => {
        const bullet = lijst === null ? '' : lijst === 'opsomming' ? '- ' : `${numberOf(alineas, index)}. `;
        return bullet + delen.map(({ tekst }) => tekst).join('');
      });
      return `${titel}\n\n${lines.join('\n\n')}`;
    })
    .join('\n\n\n');
}

/** The number of an item in the list that it is part of: as many numbered paragraphs stand right before it, and one. */
function numberOf(alineas: readonly { readonly lijst: string | null }[], index: number): number {
  const before = alineas.slice(0, index).findLastIndex(({ lijst }) => lijst !== 'nummering');
  return index - before;
}
