import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApplicationSummaryDto, ApplicationType, DashboardViewDto } from 'zorgregister-bff/client';
import { About, Button, Dialog, Empty, Facts } from '../../components/parts.tsx';
import { Failure, loaded, sharedFailure } from '../calls/failure.tsx';
import { type Failure as FailureType, outcomeOf, useCall, useChanged } from '../calls/outcome.ts';
import { ButtonLink, Extra, ForRelatives, Link, Panel, Screen, Tag } from '../parts.tsx';
import { currentPerson, homeAddressText, loadPeople } from '../people.ts';
import {
  beginOf,
  endedText,
  isDeceased,
  isOnlyEarly,
  noIntakeReason,
  openOf,
  renewalText,
  returnText,
} from '../possible.ts';
import { client, today } from '../session.ts';
import { capital, dateText, daysUntil, isNear, REGISTRATION_STATUS, REQUEST_NAMES, remainingText } from '../words.ts';
import { placeOfRequest, Requests } from './applications.tsx';
import { Letters, useMailbox } from './mailbox.tsx';

export function Overview() {
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }));
  const applications = useCall((signal) => client.GET('/applications', { signal }));
  const mailbox = useMailbox();
  const name = dashboard.data?.person?.naam ?? dashboard.data?.registration?.naam;
  const shared = sharedFailure([dashboard, applications]);
  if (shared.failure)
    return (
      <Screen title="Overzicht">
        <Failure of={shared.failure} retry={shared.again} />
      </Screen>
    );
  const hasDied = isDeceased(dashboard.data?.registration);
  return (
    <Screen title={name ? (hasDied ? name : `Welkom, ${name}`) : 'Overzicht'}>
      {loaded(dashboard, 'Uw registratie', (view) => (
        <>
          <Registration view={view} applications={applications.data ?? []} />
          <Deadline view={view} applications={applications.data ?? []} />
          {view.registration && <OtherRegistrations than={view.registration.beroep} />}
          {hasDied ? (
            <ForRelatives />
          ) : (
            <Panel title="Wat kunt u doen?">
              <Tasks view={view} applications={applications.data ?? []} />
            </Panel>
          )}
        </>
      ))}
      {/* After the registration: what stands below it would move at the moment that it is there. */}
      {(dashboard.data ?? dashboard.failure) && (
        <div class="columns">
          <Panel title="Lopende zaken" aside={<Link to={['aanvragen']}>Alle aanvragen</Link>}>
            {loaded(applications, 'Uw aanvragen', (all) => {
              const open = all.filter(
                ({ status }) => (status.tag === 'Concept' && !hasDied) || status.tag === 'InBehandeling',
              );
              return open.length > 0 ? (
                <Requests of={open.slice(0, 3)} registration={dashboard.data?.registration} />
              ) : (
                <Empty>Er loopt nu niets.</Empty>
              );
            })}
          </Panel>
          <Panel title="Laatste berichten" aside={<Link to={['berichten']}>Alle berichten</Link>}>
            {loaded(mailbox, 'Uw berichten', (letters) => (
              <Letters of={letters.slice(0, 3)} />
            ))}
          </Panel>
        </div>
      )}
    </Screen>
  );
}

type ViewProps = { view: DashboardViewDto; applications: readonly ApplicationSummaryDto[] };

function Registration({ view: { registration, person }, applications }: ViewProps) {
  const { running, draft } = openOf('registratie', applications);
  if (registration === null && running !== undefined)
    return (
      <Panel look="hero" title="Uw aanvraag is in behandeling" aside={<Tag of={['Niet geregistreerd', 'neutral']} />}>
        <p>
          Uw aanvraag {running.status.referentie} is in behandeling sinds {dateText(running.submittedAt)}. Tot het
          besluit staat u nog niet in het register.
        </p>
        <p>
          <ButtonLink to={placeOfRequest(running)} about={REQUEST_NAMES.registratie}>
            Bekijk
          </ButtonLink>
        </p>
      </Panel>
    );
  if (registration === null)
    return (
      <section class="panel hero">
        <h2 class="utrecht-heading-2">U staat nog niet in het register</h2>
        <p>Vraag registratie aan met uw diploma. Staat u in het register, dan mag u de titel van uw beroep voeren.</p>
        <p>
          {draft ? (
            <ButtonLink to={placeOfRequest(draft)} look="primary" about={REQUEST_NAMES.registratie}>
              Ga verder
            </ButtonLink>
          ) : (
            <ButtonLink to={['registratie']} look="primary">
              Registratie aanvragen
            </ButtonLink>
          )}
        </p>
      </section>
    );
  const { beroep, registerNummer, registratiedatum, status } = registration;
  return (
    <Panel
      look="hero"
      title={capital(beroep)}
      aside={<Tag of={REGISTRATION_STATUS[status?.tag ?? '']} name={status?.tag} />}
    >
      <Facts
        of={[
          ['Registratienummer', <RegisterNumber masked={registerNummer} />],
          ['Geregistreerd sinds', dateText(registratiedatum)],
          status?.tag === 'Geschorst' && [
            'Geschorst tot',
            status.geschorstTot ? dateText(status.geschorstTot) : 'nog niet bekend',
          ],
          status?.doorgehaaldOp && ['Doorgehaald op', dateText(status.doorgehaaldOp)],
          status?.reden && ['Reden', status.reden],
          !isDeceased(registration) && ['Woonadres', homeAddressText(person?.adres, 'nu niet bekend')],
        ]}
      />
    </Panel>
  );
}

/** Shows the deadline for herregistratie on a timeline; only the reason when the user cannot apply at all. */
function Deadline({ view, applications }: ViewProps) {
  const { registration, decisions } = view;
  const deadline = registration?.status?.herregistratieDatum;
  if (!deadline) return null;
  const begin = beginOf(deadline);
  const days = daysUntil(deadline);
  const hasBegun = daysUntil(begin) <= 0;
  const isRunning = openOf('herregistratie', applications, decisions).running !== undefined;
  const reason = decisions?.herregistratieReason;
  if (reason && !isRunning && !isOnlyEarly(view))
    return (
      <Panel title="Herregistratie">
        <p>{reason}</p>
        {days >= 0 && reason.includes('specialist') && (
          <p>
            Uw registratie als {registration.beroep} loopt nu tot en met {dateText(deadline)}. Verlengt u uw registratie
            als specialist, dan loopt die langer door. Doet u dat niet, dan kunt u vanaf {dateText(begin)}{' '}
            herregistratie aanvragen.
          </p>
        )}
      </Panel>
    );

  const tone = isRunning ? 'info' : isNear(days) ? 'warning' : hasBegun ? 'info' : 'positive';
  const whole = Math.max(1, (Date.parse(deadline) - Date.parse(begin)) / 86_400_000);
  const passed = Math.min(100, Math.max(0, Math.round(100 - (days / whole) * 100)));
  const points = [
    { day: begin, name: 'Wij behandelen uw aanvraag vanaf' },
    { day: today.value, name: 'Vandaag' },
    { day: deadline, name: 'Uiterste datum' },
  ].toSorted((one, other) => one.day.localeCompare(other.day));
  return (
    <section class={`panel deadline deadline--${tone}`} aria-labelledby="termijn">
      <div class="head">
        <h2 class="utrecht-heading-2" id="termijn">
          Herregistratie uiterlijk op {dateText(deadline)}
        </h2>
        <p class="deadline__left">{capital(remainingText(days))}</p>
      </div>
      {hasBegun && (
        <progress
          class="progress"
          max={100}
          value={passed}
          aria-label={`Van de zes maanden is ${passed} procent voorbij`}
        />
      )}
      <ol
        class={`deadline__points ${hasBegun ? 'deadline__points--on-the-bar' : ''}`}
        style={{ '--passed': `${passed}fr`, '--left': `${100 - passed}fr` }}
      >
        {points.map(({ day, name }) => (
          <li key={name}>
            <span>{name}</span>
            <strong>{dateText(day)}</strong>
          </li>
        ))}
      </ol>
      {decisions?.eligibleForHerregistratie && registration.status?.tag === 'Geschorst' && (
        <p>U bent nu geschorst. Ook dan moet u op tijd herregistratie aanvragen, want uw termijn loopt door.</p>
      )}
      {isRunning ? (
        <p>Uw aanvraag is in behandeling. Tot het besluit blijft u in het register staan.</p>
      ) : (
        <p>{reason ?? renewalText(view)}</p>
      )}
    </section>
  );
}

function Tasks({ view, applications }: ViewProps) {
  const main = returnText(view.registration) === null ? 'herregistratie' : 'registratie';
  const tasks = tasksFor(view, applications).map((task) => {
    const { running, draft } = openOf(task.type, applications, view.decisions);
    return { ...task, running, draft, isClosed: task.reason !== null && running === undefined };
  });
  return (
    <ul class="tasks">
      {tasks
        .toSorted((one, other) => Number(one.isClosed) - Number(other.isClosed))
        .map(({ type, title, text, reason, to, running, draft, isClosed }) => (
          <li key={type} class={`task ${isClosed ? 'task--closed' : ''}`}>
            <h3 class="utrecht-heading-3">{title}</h3>
            <p>
              {running
                ? `Uw aanvraag ${running.status.referentie} is in behandeling sinds ${dateText(running.submittedAt)}.`
                : (reason ?? text)}
            </p>
            {!isClosed && (
              <p class="task__go">
                {running ? (
                  <ButtonLink to={placeOfRequest(running)} about={REQUEST_NAMES[type]}>
                    Bekijk
                  </ButtonLink>
                ) : draft ? (
                  <ButtonLink to={placeOfRequest(draft)} look="primary" about={title}>
                    Ga verder
                  </ButtonLink>
                ) : (
                  <ButtonLink to={to} look={type === main ? 'primary' : 'secondary'} about={title}>
                    Begin
                  </ButtonLink>
                )}
              </p>
            )}
          </li>
        ))}
    </ul>
  );
}

/** Returns the kinds of application that are offered, the likeliest first. `reason` says why one is not possible now. */
function tasksFor(view: DashboardViewDto, applications: readonly ApplicationSummaryDto[]) {
  const { registration, decisions } = view;
  const stands = registration !== null && registration.status?.tag !== 'Doorgehaald';
  const { running, draft } = openOf('intake', applications);
  const noIntake = noIntakeReason(view);
  const isReturning = !stands && openOf('registratie', applications).running !== undefined;
  const all = [
    {
      type: 'herregistratie',
      isOffered: stands,
      title: 'Herregistratie aanvragen',
      text: `U kunt nu herregistratie aanvragen als ${registration?.beroep}. Wijzen wij uw aanvraag toe, dan krijgt u een nieuwe uiterste datum.`,
      reason: decisions?.eligibleForHerregistratie ? null : (decisions?.herregistratieReason ?? 'Dit kan nu niet.'),
      to: ['herregistratie'],
    },
    {
      type: 'registratie',
      isOffered: registration !== null && !stands,
      title: 'Registratie aanvragen',
      text: endedText(registration) ?? '',
      reason: null,
      to: ['registratie'],
    },
    {
      type: 'intake',
      isOffered: (noIntake === null && !isReturning) || running !== undefined || draft !== undefined,
      title: 'Intake doen',
      text: `Vraag ons of uw uren en scholing genoeg zijn ${stands ? 'voor herregistratie' : 'om weer in het register te staan'}. U hoort het binnen acht weken.`,
      reason: noIntake,
      to: ['intake'],
    },
    {
      type: 'adreswijziging',
      isOffered: true,
      title: 'Adres voor post wijzigen',
      text: 'Geef een ander adres door voor onze brieven op papier.',
      reason: null,
      to: ['adres'],
    },
    {
      type: 'registratie',
      isOffered: stands,
      title: 'In nog een beroep registreren',
      text: 'Hebt u een diploma voor nog een beroep? Vraag dan ook voor dat beroep registratie aan.',
      reason: null,
      to: ['registratie'],
    },
  ] satisfies { type: ApplicationType; [member: string]: unknown }[];
  return all.filter(({ isOffered }) => isOffered);
}

/** Shows registrations in other professions. They come from the simulator: the API of the service shows one. */
function OtherRegistrations({ than }: { than: string }) {
  useEffect(() => void loadPeople(), [than]);
  useChanged(loadPeople);
  const others = currentPerson()?.nu?.registraties.filter(({ beroep }) => beroep !== than) ?? [];
  if (others.length === 0) return null;
  return (
    <Panel title={others.length === 1 ? 'Uw andere registratie' : 'Uw andere registraties'}>
      {others.map(({ beroep, sinds, status, reden, uhd, reason }) => (
        <section key={beroep}>
          <div class="head">
            <h3 class="utrecht-heading-3">{capital(beroep)}</h3>
            <Tag of={REGISTRATION_STATUS[status]} name={status} />
          </div>
          <Facts
            of={[
              ['Geregistreerd sinds', dateText(sinds)],
              uhd && ['Herregistratie uiterlijk op', dateText(uhd)],
              [
                'Wat kunt u doen?',
                endedText({ beroep, status: { tag: status, reden } }) ??
                  reason ??
                  `Vraag eerst herregistratie aan als ${than}. Daarna kunt u dat voor dit beroep doen.`,
              ],
            ]}
          />
        </section>
      ))}
      <Extra>Een echt portaal toont één registratie: die waarvoor u het eerst iets moet doen.</Extra>
    </Panel>
  );
}

const SHOWN_FOR = 60;

/** Shows the masked register number; the whole one for a minute, after the user confirmed who they are (step-up). */
function RegisterNumber({ masked }: { masked: string }) {
  const [full, setFull] = useState<string | null>(null);
  const [failure, setFailure] = useState<FailureType | undefined>(undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (full === null) return;
    const timer = setTimeout(() => setFull(null), SHOWN_FOR * 1000);
    return () => clearTimeout(timer);
  }, [full]);

  async function confirm() {
    const outcome = await outcomeOf(client.GET('/dashboard-view', { headers: { 'X-Step-Up': '1' } }));
    setFailure(outcome.failure);
    if (outcome.failure) return;
    setFull(outcome.data.registration?.registerNummer ?? null);
    dialog.current?.close();
  }

  return (
    <>
      <span class="number">
        <span role="status">
          <span class="number__digits" aria-hidden={full === null}>
            {full ?? masked}
          </span>
          {full === null && <About>{`eindigt op ${masked.slice(-2)}`}</About>}
        </span>
        <Button look="subtle" onClick={() => (full === null ? dialog.current?.showModal() : setFull(null))}>
          {full === null ? 'Toon hele nummer' : 'Verberg'}
        </Button>
      </span>
      <Dialog of={dialog} title="Bevestig dat u het bent">
        <p>
          Uw nummer is openbaar, en staat voluit in onze brieven aan u. Op dit scherm tonen wij het hele nummer pas als
          u bevestigt dat u het bent. In een echt portaal logt u hier opnieuw in. In de simulator is bevestigen genoeg.
        </p>
        <p class="hint">Daarna ziet u het nummer {SHOWN_FOR} seconden.</p>
        <Failure of={failure} retry={confirm} />
        <div class="buttons">
          <Button look="primary-action" onClick={confirm}>
            Ik ben het
          </Button>
          <Button onClick={() => dialog.current?.close()}>Annuleren</Button>
        </div>
      </Dialog>
    </>
  );
}
