import { correspondenceOf, type SentLetter } from '../correspondence/index.ts';
import { letterText } from '../letters/text.ts';
import { type ControlDeps, loginNamed, slugOf } from './deps.ts';
import { ControlError, notThere } from './refusals.ts';

type PostDeps = Pick<ControlDeps, 'worlds' | 'directory'>;

/** Up to the current day of the world. Throws a 404 when there is no such person, or for staff, who get no letters. */
export function lettersOf(deps: PostDeps, world: string, persona: string): SentLetter[] {
  const here = deps.worlds.at(world);
  const login = loginNamed(deps, world, persona);
  const found = here.byLogin(login);
  if (found !== null) return correspondenceOf(here, found);
  throw new ControlError('persona-zonder-post', {
    detail: `${slugOf(login)} staat niet in het register en krijgt geen brieven. Kies een zorgverlener, bijvoorbeeld sanne-de-wit.`,
    english: `${slugOf(login)} is not in the register, and gets no letters. Choose a professional, such as sanne-de-wit.`,
  });
}

/** Returns the letter with this id to a person. Throws a 404 when there is none on the current day of the world. */
export function letterNamed(deps: PostDeps, world: string, persona: string, id: string): SentLetter {
  const letters = lettersOf(deps, world, persona);
  const found = letters.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw notThere(
    'brief-onbekend',
    { detail: 'Die brief is er vandaag niet.', english: 'There is no such letter today.' },
    letters.map((one) => one.id),
    {
      detail: 'Die brief is er vandaag niet. Er is nog niets gestuurd.',
      english: 'There is no such letter today: none was sent yet.',
    },
  );
}

export function summaryOf({ id, kind, date, channel, referentie, letter }: SentLetter) {
  return { id, date, kind, channel, subject: letter.onderwerp, referentie };
}

export const letterOf = (sent: SentLetter) => {
  const { letter } = sent;
  return { ...summaryOf(sent), text: letterText(letter), letter };
};
