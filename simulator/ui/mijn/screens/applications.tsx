import type { ApplicationSummaryDto, RegistrationDto } from 'zorgregister-bff/client';
import { Empty } from '../../components/parts.tsx';
import { loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { ButtonLink, ForRelatives, Link, Notice, Panel, Screen, Tag } from '../parts.tsx';
import { isDeceased, professionOf } from '../possible.ts';
import { type Answers, answersIn } from '../requests/draft.ts';
import { client } from '../session.ts';
import { dateText, REQUEST_NAMES, sentenceText, statusOf } from '../words.ts';
import { toDoFor } from './application.tsx';
import { useMailbox } from './mailbox.tsx';

/** Returns the address of the form of a draft, and otherwise of the screen with the status. */
export const placeOfRequest = ({ id, type, status }: ApplicationSummaryDto) =>
  status.tag === 'Concept' ? [type, id] : ['aanvragen', id];

export function Applications() {
  const applications = useCall((signal) => client.GET('/applications', { signal }));
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }));
  const registration = dashboard.data?.registration;
  const hasDied = isDeceased(registration);
  return (
    <Screen
      title="Mijn aanvragen"
      lead={hasDied ? 'Alles wat is aangevraagd.' : 'Alles wat is aangevraagd, en wat nog niet af is.'}
    >
      {loaded(applications, 'Uw aanvragen', (all) => {
        const drafts = all.filter(({ status }) => status.tag === 'Concept' && !hasDied);
        const others = all.filter(({ status }) => status.tag !== 'Concept');
        return (
          <>
            {drafts.length > 0 && (
              <Panel title="Nog afmaken">
                <Requests of={drafts} registration={registration} />
              </Panel>
            )}
            <Panel title="Ingediend">
              {others.length > 0 ? (
                <Requests of={others} registration={registration} />
              ) : (
                <Empty>Er is niets ingediend.</Empty>
              )}
            </Panel>
          </>
        );
      })}
      {hasDied ? (
        <ForRelatives />
      ) : (
        <Panel title="Nieuwe aanvraag">
          <p>
            Op het <Link to={['overzicht']}>overzicht</Link> ziet u of u nu iets kunt aanvragen.
          </p>
        </Panel>
      )}
    </Screen>
  );
}

/** Returns the step of a draft; empty when it was never saved. */
const stepText = (status: ApplicationSummaryDto['status']) =>
  status.stepCount ? ` · stap ${status.stepIndex + 1} van ${status.stepCount}` : '';

type ToDoProps = { reference: string | null; answers: Answers };

/** Names the letter in which case handlers asked something about a request, and the documents that come by post. */
function ToDo({ reference, answers }: ToDoProps) {
  const mailbox = useMailbox();
  const { asked, byPost } = toDoFor(reference, mailbox.data, answers);
  return (
    <>
      {asked && <span>Lees onze brief van {dateText(asked.date)}: daarin staat wat u kunt doen, en tot wanneer.</span>}
      {byPost.length > 0 && (
        <span>Stuur per post, als u dat nog niet hebt gedaan: {byPost.map(({ name }) => name).join(', ')}.</span>
      )}
    </>
  );
}

type RequestsProps = { of: readonly ApplicationSummaryDto[]; registration: RegistrationDto | null | undefined };

/** Shows requests. `registration` is the one that a renewal or an intake would be about that is submitted now. */
export const Requests = ({ of, registration }: RequestsProps) => (
  <ul class="rows">
    {of.map((one) => (
      <Request key={one.id} of={one} next={registration?.beroep} />
    ))}
  </ul>
);

function Request({ of, next = '' }: { of: ApplicationSummaryDto; next: string | undefined }) {
  const { id, type, status, updatedAt, submittedAt } = of;
  const { data } = useCall((signal) => client.GET('/applications/{id}', { params: { id }, signal }), id);
  const answers = answersIn(data?.draft);
  const name = REQUEST_NAMES[type];
  const isDraft = status.tag === 'Concept';
  const profession = isDraft && type !== 'registratie' ? next : professionOf(type, answers);
  return (
    <li class="row-item">
      <div class="row-item__main">
        <strong>
          <Link to={placeOfRequest(of)}>{isDraft ? `Ga verder met uw ${name.toLowerCase()}` : name}</Link>
        </strong>
        <span class="small">
          {isDraft ? (
            `Bewaard op ${dateText(updatedAt)}${stepText(status)}`
          ) : (
            <>
              Ingediend op {dateText(submittedAt)} · <span class="nowrap">{status.referentie}</span>
            </>
          )}
          {profession && ` · ${profession}`}
        </span>
        {status.reden && <span>{sentenceText(status.reden)}</span>}
        {status.tag === 'InBehandeling' && status.manual && <ToDo reference={status.referentie} answers={answers} />}
      </div>
      <Tag of={statusOf(of)} name={status.tag} />
    </li>
  );
}

/** Says that a request of this kind is in progress, so that there can be no second one. */
export const Running = ({ of: { id, type, status, submittedAt } }: { of: ApplicationSummaryDto }) => (
  <>
    <Notice tone="info" title="U hebt al een aanvraag lopen">
      {REQUEST_NAMES[type]} {status.referentie}, ingediend op {dateText(submittedAt)}.{' '}
      {type === 'herregistratie' || type === 'registratie' ? 'Wacht op het besluit.' : 'Wacht op ons antwoord.'}
    </Notice>
    <p>
      <ButtonLink to={['aanvragen', id]} look="primary">
        Bekijk deze aanvraag
      </ButtonLink>
    </p>
  </>
);
