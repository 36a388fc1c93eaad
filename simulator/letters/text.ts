import { longDate } from '../../src/wire/dates.ts';
import { groupsOf, type Letter, textOf } from './letter.ts';

/** Returns the date and the references of a letter, each with its Dutch label, such as `Ons kenmerk`. */
export const detailsOf = ({ date, kenmerk, registratienummer }: Letter): [label: string, text: string][] => [
  ['Datum', date === null ? 'datum van verzending' : longDate(date)],
  ['Ons kenmerk', kenmerk],
  ...(registratienummer === null ? [] : [['Registratienummer', registratienummer] as [string, string]]),
];

export function letterText(letter: Letter): string {
  const details = detailsOf(letter).map(([label, text]) => `${label}: ${text}`);
  const body = groupsOf(letter.paragraphs).flatMap(({ list, items }) =>
    list === null
      ? items.map(textOf)
      : [items.map((item, index) => `${list === 'bullet' ? '-' : `${index + 1}.`} ${textOf(item)}`).join('\n')],
  );
  return [
    letter.sender.join('\n'),
    letter.addressee.join('\n'),
    details.join('\n'),
    `Onderwerp: ${letter.onderwerp}`,
    ...body,
    letter.signature.join('\n'),
  ].join('\n\n');
}
