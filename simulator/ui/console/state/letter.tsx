import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Select } from '../../components/fields.tsx';
import { Badge, Empty } from '../../components/parts.tsx';
import { go } from '../app/address.ts';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { label } from '../texts.ts';
import type { Letter } from '../types.d.ts';

const TAGS: Record<Letter['tag'], string> = {
  draft: 'concept',
  submitted: 'voorgelegd',
  approved: 'goedgekeurd',
  rejected: 'afgekeurd',
  sent: 'verzonden',
};
/** With what a letter begins: a decision, or the template of a request for data. */
const STARTS = {
  goedgekeurd: 'een besluit: toewijzen',
  afgewezen: 'een besluit: afwijzen',
  'buiten-behandeling': 'een besluit: buiten behandeling',
  'aanvulling-gevraagd': 'een verzoek om aanvulling',
};
/** Id of the template of a letter that asks for missing data. */
const REQUEST = 'aanvulling-gevraagd';

/**
 * Shows the status of the letter of the world (the one that people of the register now work on), and a form to make a
 * new letter or to change that status.
 * @param props `part` shows the errors
 */
export function LetterState({ app, part }: { app: App; part: Part }) {
  const { store } = app;
  const tag = useSignal<string>('draft');
  const about = useSignal('');
  const start = useSignal('');
  const brief = store.shown.brief.value;
  const zaken = (store.shown.zaken.value ?? []).filter(({ soort }) => /^(?:her)?registratie$/.test(soort));
  const isListed = zaken.some(({ referentie }) => referentie === about.value);
  useEffect(() => {
    if (brief) tag.value = brief.tag;
  }, [brief]);

  const put = () =>
    app.run(
      part,
      async () => {
        const choice = {
          ...(isListed && { referentie: about.value }),
          ...(start.value === REQUEST ? { templateId: REQUEST } : start.value !== '' && { uitkomst: start.value }),
        };
        await api(`${inWorld(store.world)}/brief`, { method: 'PUT', body: { tag: tag.value, ...choice } });
        start.value = '';
        about.value = '';
      },
      `De brief is nu ${label(TAGS, tag.value)}.`,
    );

  return (
    <div>
      {brief && (
        <p class="utrecht-paragraph">
          <Badge tone="info">{label(TAGS, brief.tag)}</Badge> {peopleOf(brief, app)}
        </p>
      )}
      {brief === null && (
        <Empty action="Open als Dana Mulder" onAction={() => go({ person: 'drafter-dana', tab: 'mijn' })}>
          Er is nog geen brief in deze wereld. Open hem als Dana Mulder, of zet hem hieronder in een stand.
        </Empty>
      )}
      <Form onSubmit={put}>
        <Select
          {...bind(about)}
          value={isListed ? about.value : ''}
          label="Zaak van de brief"
          options={[
            ['', 'de zaak die hij heeft'],
            ...zaken.map(({ referentie, slug }) => [referentie, `${app.nameOf(slug)}, ${referentie}`] as const),
          ]}
        />
        <Select
          {...bind(start)}
          label="Begin met"
          options={[['', 'de brief zoals hij is'], ...Object.entries(STARTS)]}
        />
        <Select {...bind(tag)} label="Stand van de brief" options={Object.entries(TAGS)} />
        <SubmitButton>Zet in deze stand</SubmitButton>
      </Form>
    </div>
  );
}

/** Returns the case of a letter, and the people who worked on it, as Dutch text. */
function peopleOf({ referentie, drafterId, submittedBy, approvedBy }: Letter, app: App) {
  // In another world than the default one, a login is the slug of the person followed by `@<world>`.
  const nameOf = (login: string) => app.nameOf(login.replace(/@.*/, ''));
  return [
    referentie && `Over zaak ${referentie}`,
    drafterId && `Opgesteld door ${nameOf(drafterId)}`,
    submittedBy && `Voorgelegd door ${nameOf(submittedBy)}`,
    approvedBy && `Goedgekeurd door ${nameOf(approvedBy)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
