import type { Beroep, DashboardViewDto, RegistrationDto } from 'zorgregister-bff/client';
import { hasSpecialismen } from '../../../../src/domain/specialismen.ts';
import { Alert, Button } from '../../components/parts.tsx';
import { Failure, loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { useSubmit } from '../forms/submit.ts';
import { ForRelatives, Link, Notice, Panel, Screen } from '../parts.tsx';
import {
  barredText,
  diplomaToUse,
  heldProfessions,
  isDeceased,
  isOnlyEarly,
  noIntakeReason,
  noRegistrationReason,
  openOf,
  returnText,
  type View,
} from '../possible.ts';
import type { WizardType } from '../requests/kinds.tsx';
import { go } from '../router.ts';
import { client } from '../session.ts';
import { Requests, Running } from './applications.tsx';

const ABOUT = {
  herregistratie: {
    title: 'Herregistratie aanvragen',
    lead: 'Elke vijf jaar laat u zien dat u genoeg hebt gewerkt of scholing hebt gevolgd.',
    needs: (beroep: Beroep | undefined) => [
      'het aantal uren dat u in de vijf jaar vóór uw aanvraag hebt gewerkt',
      `als u te weinig uren hebt: een bewijs van scholing${hasSpecialismen(beroep) ? ', of van uw opleiding tot specialist' : ''}`,
    ],
    time: 'ongeveer 10 minuten',
  },
  registratie: {
    title: 'Registratie aanvragen',
    lead: 'Met een registratie mag u de titel van uw beroep voeren.',
    needs: () => [
      'uw diploma: vaak staat het al bij DUO',
      'als DUO uw diploma niet heeft: een gewaarmerkte kopie van uw diploma (met een stempel van uw opleiding of een notaris), een kopie van uw identiteitsbewijs en soms een bewijs dat u Nederlands spreekt',
      'bij een buitenlands diploma: ook een cv, het vakkenoverzicht bij uw diploma (diplomasupplement), een bewijs dat u uw beroep mag uitoefenen (verklaring van de bevoegde autoriteit) en soms een beëdigde vertaling',
      'als uw diploma ouder is dan vijf jaar, of als u eerder bent doorgehaald: bewijs van uw werk of uw scholing',
    ],
    time: 'ongeveer 15 minuten',
  },
  intake: {
    title: 'Intake',
    lead: 'Vraag ons of u genoeg uren of scholing hebt. U hoort het binnen acht weken. Een intake is geen besluit: daarna doet u zelf nog een aanvraag.',
    needs: () => [
      'het aantal uren dat u in de vijf jaar vóór uw aanvraag hebt gewerkt',
      'als u te weinig uren hebt en scholing hebt gevolgd: uw punten en, als u dat hebt, een bewijs van scholing',
    ],
    time: 'ongeveer 5 minuten',
  },
};

export function Start({ type }: { type: WizardType['type'] }) {
  const { title, lead, needs, time } = ABOUT[type];
  const applications = useCall((signal) => client.GET('/applications', { signal }), type);
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }), type);
  const start = useSubmit(
    `concept:${type}`,
    (body: { type: typeof type }, headers) => client.POST('/applications', { body, headers }),
    ({ id }) => go(type, id),
  );
  const cannotShowStart = dashboard.failure?.problem.status === 401 || applications.failure !== undefined;
  // A draft needs no upstream, so the user can begin one while the register is down.
  const known =
    dashboard.failure && !dashboard.data && !cannotShowStart
      ? { ...dashboard, failure: undefined, data: {} as Partial<DashboardViewDto> }
      : dashboard;
  return (
    <Screen
      title={title}
      lead={!isDeceased(dashboard.data?.registration) && lead}
      back={{ to: ['overzicht'], text: 'Overzicht' }}
    >
      {dashboard.failure && !cannotShowStart && (
        <Failure of={dashboard.failure} retry={dashboard.again}>
          <p>U kunt alvast beginnen. Indienen kan zodra wij uw registratie weer zien.</p>
        </Failure>
      )}
      {loaded(applications, 'Uw aanvragen', (all) =>
        loaded(known, 'Uw registratie', ({ registration, decisions }) => {
          if (isDeceased(registration)) return <ForRelatives />;
          const drafts = all.filter((one) => one.type === type && one.status.tag === 'Concept');
          // A person who was struck off and already applied to return needs no intake any more.
          const about = type === 'intake' && returnText(registration) !== null ? 'registratie' : type;
          const running = openOf(type, all, decisions).running ?? openOf(about, all, decisions).running;
          const reasons = {
            herregistratie: decisions?.eligibleForHerregistratie === false ? decisions.herregistratieReason : null,
            registratie: null,
            intake: noIntakeReason({ registration, decisions }),
          };
          const reason = reasons[type];
          const barred = type === 'registratie' && reason === null && barredText(registration);
          const again =
            type === 'herregistratie' &&
            (registration === null ? 'Vraag eerst registratie aan.' : returnText(registration));
          if (running !== undefined) return <Running of={running} />;
          return (
            <>
              {reason && (
                <Alert tone="warning" title="Dit kan nu niet">
                  <p>{reason}</p>
                  {again && (
                    <p>
                      {again} <Link to={['registratie']}>Registratie aanvragen</Link>
                    </p>
                  )}
                </Alert>
              )}
              {barred && <Notice tone="warning">{barred}</Notice>}
              {type === 'registratie' && registration?.status?.tag && registration.status.tag !== 'Doorgehaald' && (
                <OtherProfession registration={registration} decisions={decisions} />
              )}
              {drafts.length > 0 && (
                <Panel title="U was al begonnen">
                  <Requests of={drafts} registration={registration} />
                </Panel>
              )}
              {!reason && (
                <Panel title="Wat hebt u nodig?">
                  <ul class="utrecht-unordered-list">
                    {needs(registration?.beroep).map((need) => (
                      <li class="utrecht-unordered-list__item" key={need}>
                        {need}
                      </li>
                    ))}
                  </ul>
                  <p class="utrecht-paragraph">
                    Het invullen duurt {time}. Wij bewaren alles terwijl u bezig bent: u kunt stoppen en later
                    verdergaan.
                  </p>
                </Panel>
              )}
              <Failure of={start.failure} retry={start.retry} takesFocus />
              {!reason && (
                <p>
                  <Button
                    look={drafts.length > 0 ? 'secondary-action' : 'primary-action'}
                    busy={start.busy}
                    onClick={() => start.submit({ type })}
                  >
                    {drafts.length > 0 ? 'Begin een nieuwe aanvraag' : 'Beginnen'}
                  </Button>
                </p>
              )}
            </>
          );
        }),
      )}
    </Screen>
  );
}

/** Says to somebody who is registered in which other profession they can be, and otherwise what they can do instead. */
function OtherProfession({ registration, decisions }: { registration: RegistrationDto } & Pick<View, 'decisions'>) {
  const { data } = useCall((signal) => client.GET('/duo/diplomas', { signal }));
  const held = [...heldProfessions(registration)].join(' en als ');
  const diploma = data && diplomaToUse(data.diplomas, registration);
  const isFree = diploma && noRegistrationReason(diploma.beroep, registration) === null;
  if (isFree || data === undefined)
    return (
      <Notice tone="info">
        U staat al in het register als {held}. U kunt zich alleen in een ander beroep registreren
        {diploma && `, bijvoorbeeld met uw diploma bij DUO als ${diploma.beroep}`}.
      </Notice>
    );
  return (
    <Alert tone="warning" title="U hebt waarschijnlijk niets te registreren">
      <p>U staat al in het register als {held}. DUO kent geen diploma van u voor een ander beroep.</p>
      {decisions?.eligibleForHerregistratie || isOnlyEarly({ registration, decisions }) ? (
        <p>
          Wilt u uw registratie verlengen? Dan vraagt u herregistratie aan.{' '}
          {decisions?.eligibleForHerregistratie ? (
            <Link to={['herregistratie']}>Herregistratie aanvragen</Link>
          ) : (
            'Op het overzicht ziet u wanneer dat kan.'
          )}
        </p>
      ) : (
        decisions?.herregistratieReason && <p>{decisions.herregistratieReason}</p>
      )}
      <p>Hebt u een diploma voor een ander beroep dat DUO niet kent? Dan kunt u hieronder beginnen.</p>
    </Alert>
  );
}
