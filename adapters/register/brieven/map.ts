import type { LetterBesluit, Opdracht, Passage, Sjabloon, Verzending } from '../../../src/ports/brieven.ts';
import { MAX_KEY_LENGTH, type RichText, type RichTextNode, withoutForbidden } from '../../../src/wire/rich-text.ts';
import type { Beroep, List, Mark, Uitkomst } from '../../../src/wire/values.ts';
import { BEROEP_BY_CODE, CODE_BY_BEROEP, type UitkomstWire } from '../wire.ts';
import type { AlineaWire, OpdrachtWire, PassageWire, SjabloonWire, VerzendingWire } from './wire.ts';

const UITKOMST: Readonly<Record<UitkomstWire, Uitkomst>> = {
  goedgekeurd: 'toewijzen',
  afgewezen: 'afwijzen',
  'buiten-behandeling': 'buiten-behandeling',
};
const UITKOMST_WIRE: Readonly<Record<Uitkomst, UitkomstWire>> = {
  toewijzen: 'goedgekeurd',
  afwijzen: 'afgewezen',
  'buiten-behandeling': 'buiten-behandeling',
};

const toLetterBesluit = ({ uitkomst, reden }: NonNullable<PassageWire['besluit']>): LetterBesluit => ({
  uitkomst: UITKOMST[uitkomst],
  reden: reden ?? null,
});

// The schemas have already refused an unknown code.
const beroepOf = (code: string): Beroep => {
  const beroep = BEROEP_BY_CODE.get(code);
  if (beroep === undefined) throw new Error('unknown profession code after parsing');
  return beroep;
};

/** The lowest code: an arts has two, with the same letter texts. */
export const beroepCodeOf = (beroep: Beroep): string => CODE_BY_BEROEP.get(beroep) ?? '';

export const toOpdracht = (wire: OpdrachtWire): Opdracht => ({
  opdrachtId: wire.opdrachtId,
  templateId: wire.templateId,
  beroep: beroepOf(wire.beroepCode),
  referentie: wire.referentie,
  indiener:
    'burgerservicenummer' in wire.indiener
      ? { bsn: wire.indiener.burgerservicenummer }
      : { loginId: wire.indiener.loginId },
  registratieId: wire.registratieId ?? null,
  datumAanvraag: wire.datumAanvraag,
  urenOpgegeven: wire.urenOpgegeven ?? null,
  correspondentieadres: wire.correspondentieadres ?? null,
  opsteller: wire.opsteller ?? null,
  besluit: wire.besluit ? { ...toLetterBesluit(wire.besluit), datum: wire.besluit.datum } : null,
  passages: wire.passages,
  feiten: wire.feiten ?? null,
  uhd: wire.uhd ?? null,
  eerder: wire.eerder ?? [],
});

export const toSjabloon = ({ templateId, velden, secties }: SjabloonWire): Sjabloon => ({
  templateId,
  placeholders: velden.map(({ sleutel, omschrijving, soort }) => ({
    key: sleutel,
    label: omschrijving,
    autoResolvable: soort === 'automatisch',
    fillable: soort === 'invulbaar',
    deprecated: soort === 'vervallen',
  })),
  sections: secties.map(({ sleutel, titel, verplicht, vast, alineas }) => ({
    sectionKey: sleutel,
    title: titel,
    required: verplicht,
    locked: vast,
    content: toRichText(alineas),
  })),
});

export const toPassage = (wire: PassageWire): Passage => ({
  passageId: wire.passageId,
  templateId: wire.templateId ?? null,
  besluit: wire.besluit ? toLetterBesluit(wire.besluit) : null,
  uitkomsten: wire.uitkomsten?.map((one) => UITKOMST[one]) ?? null,
  uren: wire.uren ?? null,
  uhd: wire.uhd ?? null,
  reactie: wire.reactie ?? null,
  feit: wire.feit ?? null,
  scope: wire.beroepCode ? 'beroep' : 'global',
  sectionKey: wire.sectie,
  label: wire.omschrijving,
  content: toRichText(wire.alineas),
  version: wire.versie,
  beroep: wire.beroepCode ? beroepOf(wire.beroepCode) : null,
});

const LIST: Readonly<Record<'opsomming' | 'nummering', List>> = { opsomming: 'bullet', nummering: 'number' };
const LIJST = { bullet: 'opsomming', number: 'nummering' } as const;

// Rich text has no headings: a heading becomes a bold paragraph.
const toRichText = (alineas: readonly AlineaWire[]): RichText => ({
  paragraphs: alineas.map(({ lijst, kop, tekst }) => ({
    nodes: toNodes(tekst, kop ? ['bold'] : []),
    list: lijst ? LIST[lijst] : null,
  })),
});

// A placeholder for each `{{sleutel}}`. A key that is too long to save stays text. Leaves out characters that a letter
// may not contain: a letter with them could not be saved.
const toNodes = (tekst: string, marks: readonly Mark[]): RichTextNode[] =>
  tekst.split(/(\{\{[a-z][a-z0-9_]*\}\}|\r\n?|\n)/).flatMap((piece, index): RichTextNode[] => {
    if (/^[\r\n]/.test(piece)) return [{ type: 'lineBreak' }];
    const key = piece.slice(2, -2);
    // The pieces at odd places are those that the expression matched.
    if (index % 2 === 1 && key.length <= MAX_KEY_LENGTH) return [{ type: 'placeholder', key, text: null }];
    const text = withoutForbidden(piece);
    return text === '' ? [] : [{ type: 'text', text, marks: [...marks] }];
  });

export const toVerzending = (letter: Verzending): VerzendingWire => ({
  opdrachtId: letter.opdrachtId,
  referentie: letter.referentie,
  kanaal: letter.kanaal,
  besluit: letter.besluit && { uitkomst: UITKOMST_WIRE[letter.besluit.uitkomst], reden: letter.besluit.reden },
  uiterlijk: letter.uiterlijk,
  inhoud: {
    verzoek: letter.verzoek,
    secties: letter.sections.map(({ sectionKey, title, content }) => ({
      sleutel: sectionKey,
      titel: title,
      alineas: content.paragraphs.map(({ nodes, list }) => ({ lijst: list && LIJST[list], delen: nodes.map(toDeel) })),
    })),
  },
});

function toDeel(node: RichTextNode) {
  if (node.type === 'placeholder') throw new Error('the letter still contains a placeholder');
  const marks = node.type === 'text' ? node.marks : [];
  return {
    tekst: node.type === 'text' ? node.text : '\n',
    vet: marks.includes('bold'),
    cursief: marks.includes('italic'),
    onderstreept: marks.includes('underline'),
  };
}
