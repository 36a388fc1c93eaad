import { useEffect } from 'preact/hooks';
import type { AdresDto, ApplicationDetailDto } from 'zorgregister-bff/client';
import type { SentLetterSummary } from '../../../../testing/types.ts';
import { Alert, Button, Facts } from '../../components/parts.tsx';
import { loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { ButtonLink, Confirmation, Notice, Panel, Screen, Tag } from '../parts.tsx';
import { homeElsewhere } from '../people.ts';
import { noIntakeReason, professionOf, renewalText, returnText, type View } from '../possible.ts';
import { type Answers, answersIn } from '../requests/draft.ts';
import { WIZARDS, type WizardType } from '../requests/kinds.tsx';
import { replaceScreen } from '../router.ts';
import { client } from '../session.ts';
import {
  addressText,
  capital,
  dateText,
  momentText,
  POSTAL_ADDRESS,
  REQUEST_NAMES,
  sentenceText,
  statusOf,
} from '../words.ts';
import { Letters, useMailbox } from './mailbox.tsx';

const BACK = { to: ['aanvragen'], text: 'Mijn aanvragen' };

/** Shows a submitted application; with a confirmation directly after the submission (`wasSubmitted`). */
export function Application({ id, wasSubmitted }: { id: string; wasSubmitted: boolean }) {
  const application = useCall((signal) => client.GET('/applications/{id}', { params: { id }, signal }), id);
  const draftType = application.data?.status.tag === 'Concept' ? application.data.type : null;
  useEffect(() => {
    if (draftType !== null) replaceScreen(draftType, id);
  }, [draftType, id]);
  const name = application.data ? REQUEST_NAMES[application.data.type] : 'Aanvraag';
  const isNew = wasSubmitted && application.data?.status.tag === 'InBehandeling';
  return (
    <Screen title={isNew ? 'Uw aanvraag is ingediend' : name} back={BACK}>
      {loaded(application, 'Uw aanvraag', (found) => (
        <SubmittedApplication of={found} name={name} isNew={isNew} />
      ))}
    </Screen>
  );
}

/** Returns the term of the decision of a case handler (domain.md 6.1). */
function termOf(type: ApplicationDetailDto['type'], { diplomaHerkomst }: Answers) {
  if (type === 'adreswijziging') return 'binnen een maand na uw aanvraag';
  return type === 'registratie' && diplomaHerkomst === 'buitenland'
    ? 'binnen drie maanden nadat wij alles van u hebben'
    : 'binnen acht weken na uw aanvraag';
}

/**
 * Returns the letters about a request, newest first; the one that says that the decision is late; the newest in which case
 * handlers ask for more or say what they intend (domain.md 6); and the documents that the user sends by post.
 */
export function toDoFor(reference: string | null, all: readonly SentLetterSummary[] = [], answers: Answers) {
  const letters = all.filter(({ referentie }) => referentie !== null && referentie === reference);
  const delayed = letters.find(({ kind }) => kind === 'bericht-vertraging');
  const asked = letters.find(({ kind }) => kind === 'brief');
  // With a foreign diploma, the decision is late only after all documents arrived (domain.md 6.1).
  const hasAll = delayed !== undefined && answers.diplomaHerkomst === 'buitenland';
  const byPost = answers.documenten.filter(({ channel }) => channel === 'post' && !hasAll);
  return { letters, delayed, asked, byPost };
}

/** Returns what a person can do after a refusal or an intake, and by when; null when there is nothing to say. */
function nextText(type: ApplicationDetailDto['type'], { registration, decisions }: View) {
  if (type === 'adreswijziging') return null;
  if (type !== 'registratie') return renewalText({ registration, decisions }) ?? returnText(registration);
  return registration === null
    ? 'U kunt opnieuw registratie aanvragen als u wel aan de eisen kunt voldoen.'
    : returnText(registration);
}

function SubmittedApplication({ of, name, isNew }: { of: ApplicationDetailDto; name: string; isNew: boolean }) {
  const { type, status, submittedAt, draft } = of;
  const reference = status.referentie;
  const answers = answersIn(draft);
  const profession = professionOf(type, answers);
  const wizard = type === 'adreswijziging' ? undefined : WIZARDS[type];
  const mailbox = useMailbox();
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal })).data;
  const { person, registration, decisions } = dashboard ?? {};
  const renewal = renewalText({ registration, decisions });
  const { letters, delayed, asked, byPost } = toDoFor(reference, mailbox.data, answers);
  const isDecided = status.tag === 'Goedgekeurd' || status.tag === 'Afgewezen';
  // Not `updatedAt`: the service may hear of the decision later. A letter that case handlers wrote can be the decision.
  const decision = isDecided ? (letters.find(({ kind }) => kind === 'besluit') ?? asked) : undefined;
  // The answer to an intake and the confirmation of a change of address are no decisions (domain.md 6.1).
  const endsInDecision = type !== 'intake' && (type !== 'adreswijziging' || status.tag === 'Afgewezen');
  const outcome = endsInDecision ? 'besluit' : 'antwoord';
  const next = nextText(type, { registration, decisions });
  return (
    <>
      {isNew && (
        <Confirmation text="Wij hebben uw aanvraag ontvangen. Uw kenmerk is" reference={reference}>
          <p>Bewaar dit nummer. U krijgt een brief met de ontvangstbevestiging.</p>
        </Confirmation>
      )}
      <Panel title={isNew ? name : 'Stand van zaken'} aside={<Tag of={statusOf(of)} name={status.tag} />}>
        <Facts
          of={[
            !isNew && ['Kenmerk', reference ?? 'nog geen'],
            wizard?.namesProfession && profession && ['Beroep', capital(profession)],
            ['Ingediend', momentText(submittedAt)],
            type === 'adreswijziging' && draft !== null && ['Nieuw adres', addressText(draft as AdresDto, 'onbekend')],
            decision && [endsInDecision ? 'Besluit' : 'Beoordeeld', dateText(decision.date)],
            status.reden && ['Reden', sentenceText(status.reden)],
          ]}
        />
        {status.tag === 'InBehandeling' && (
          <Notice tone="info" title="Wat gebeurt er nu?">
            {status.manual
              ? `Een medewerker beoordeelt uw aanvraag${byPost.length > 0 ? ' zodra wij hebben wat u per post stuurt' : ''}.`
              : 'Wij controleren uw aanvraag.'}{' '}
            {delayed
              ? `Dat duurt langer dan wij u hadden gezegd. In onze brief van ${dateText(delayed.date)} staat wanneer u een ${outcome} krijgt.`
              : !asked &&
                `U krijgt ${termOf(type, answers)} een ${outcome}${status.manual ? '' : ', meestal binnen een paar dagen'}.`}{' '}
            {asked
              ? `Lees onze brief van ${dateText(asked.date)}: daarin staat wat u kunt doen, en tot wanneer.`
              : type === 'intake' && renewal !== null
                ? `Uw uiterste datum verandert niet door deze intake. ${renewal}`
                : byPost.length === 0 && 'U hoeft nu niets te doen.'}
          </Notice>
        )}
        {status.tag === 'InBehandeling' && byPost.length > 0 && (
          <Alert tone="warning" title="Stuur deze documenten per post">
            <p>
              Stuur ze in één envelop, zo snel mogelijk. Schrijf uw kenmerk <span class="nowrap">{reference}</span> op
              elk document. Hebt u ze al gestuurd? Dan hoeft u nu niets te doen.
            </p>
            <div class="cover">
              <address class="address">
                {POSTAL_ADDRESS.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </address>
              <Facts
                of={[
                  ['Kenmerk', <span class="nowrap">{reference}</span>],
                  [
                    'Afzender',
                    [person?.naam, addressText(person?.adres, homeElsewhere().join(', '))].filter(Boolean).join(', '),
                  ],
                  [
                    'Documenten',
                    <ul class="utrecht-unordered-list">
                      {byPost.map(({ categoryId, name }) => (
                        <li key={categoryId}>{name}</li>
                      ))}
                    </ul>,
                  ],
                ]}
              />
            </div>
            <p>
              <Button onClick={() => print()}>Print dit als voorblad</Button>
            </p>
          </Alert>
        )}
        {status.tag === 'Afgewezen' && next !== null && <p>{next}</p>}
        {status.tag === 'Afgewezen' && endsInDecision && (
          <Notice tone="negative" title="Bent u het er niet mee eens?">
            U kunt bezwaar maken tot zes weken na de datum van de brief. In de brief met het besluit staat hoe u bezwaar
            maakt.
          </Notice>
        )}
        {type === 'intake' && isDecided && (
          <Notice tone="info" title="Dit is geen besluit over uw registratie">
            {status.tag === 'Afgewezen' &&
              (noIntakeReason({ registration, decisions }) ?? 'U kunt een nieuwe intake doen.')}{' '}
            {status.tag === 'Goedgekeurd' && (next ?? decisions?.herregistratieReason)}
          </Notice>
        )}
      </Panel>
      {letters.length > 0 && (
        <Panel title="Brieven over deze aanvraag">
          <Letters of={letters} />
        </Panel>
      )}
      {wizard && draft !== null && (
        <Panel title="Wat u hebt ingevuld">
          <Answered answers={answers} wizard={wizard} />
        </Panel>
      )}
      <p class="no-print">
        <ButtonLink to={['overzicht']}>Naar het overzicht</ButtonLink>
      </p>
    </>
  );
}

/** A component of its own, because the steps are made by a hook of the kind of application. */
const Answered = ({ answers, wizard }: { answers: Answers; wizard: WizardType }) => (
  <Facts of={wizard.useSteps(answers).flatMap(({ facts }) => facts)} />
);
