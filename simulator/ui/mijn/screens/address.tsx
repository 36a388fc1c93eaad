import { useState } from 'preact/hooks';
import type { AdresDto, ApplicationSummaryDto, ChangeRequestRequest } from 'zorgregister-bff/client';
import { TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { Failure, loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { useSubmit, useTyped } from '../forms/submit.ts';
import { AddressLines, ButtonLink, Confirmation, ForRelatives, Home, Notice, Panel, Screen } from '../parts.tsx';
import { hasSecretAddress, homeElsewhere } from '../people.ts';
import { isDeceased, openOf } from '../possible.ts';
import { client } from '../session.ts';
import { PHONE } from '../words.ts';
import { Running } from './applications.tsx';

const BACK = { to: ['overzicht'], text: 'Overzicht' };

/** Returns the change of address that was granted last. */
export const grantedAddress = (applications: readonly ApplicationSummaryDto[] = []) =>
  applications
    .filter(({ type, status }) => type === 'adreswijziging' && status.tag === 'Goedgekeurd')
    .toSorted((one, other) => (one.submittedAt ?? '').localeCompare(other.submittedAt ?? ''))
    .at(-1);

/** Shows the address that an application asked for. It is the draft of a change of address. */
export function AskedAddress({ of: { id, status } }: { of: ApplicationSummaryDto }) {
  const application = useCall((signal) => client.GET('/applications/{id}', { params: { id }, signal }), id);
  return loaded(application, 'Het adres', ({ draft }) =>
    draft ? <AddressLines of={draft as AdresDto} /> : <p>Het adres van uw aanvraag {status.referentie}.</p>,
  );
}

export function Address() {
  const known = useCall((signal) => client.GET('/brp/address', { signal }));
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }));
  const applications = useCall((signal) => client.GET('/applications', { signal }));
  const [asked, setAsked, forget] = useTyped('adres', { straat: '', postcode: '', woonplaats: '' });
  const [submitted, setSubmitted] = useState<(typeof asked & { reference: string }) | null>(null);
  const submission = useSubmit(
    'adreswijziging',
    (body: ChangeRequestRequest, headers) => client.POST('/change-requests', { body, headers }),
    ({ referentie }) => {
      forget();
      setSubmitted({ ...asked, reference: referentie });
    },
  );
  const granted = grantedAddress(applications.data);
  const hasHome = Boolean(known.data?.adres) || homeElsewhere().length > 0;
  if (submitted !== null)
    return (
      <Screen key="klaar" title="Uw adreswijziging is ingediend" back={BACK}>
        <Confirmation text="Uw kenmerk is" reference={submitted.reference} />
        <Panel title="Het adres dat u hebt doorgegeven">
          <AddressLines of={submitted} />
        </Panel>
        <Notice tone="info" title="Wat gebeurt er nu?">
          Wij behandelen uw verzoek binnen een maand. Keuren wij het goed, dan krijgt u een bevestiging: op uw nieuwe
          adres of in uw Berichtenbox{hasHome || granted ? ', en ook op uw oude adres' : ''}. Vanaf die dag gaan onze
          brieven op papier naar het nieuwe adres. U hoeft nu niets te doen.
        </Notice>
        <p>
          <ButtonLink to={['aanvragen']}>Naar mijn aanvragen</ButtonLink>
        </p>
      </Screen>
    );

  if (isDeceased(dashboard.data?.registration))
    return (
      <Screen key="niet" title="Adres voor post wijzigen" back={BACK}>
        <ForRelatives />
      </Screen>
    );

  const { running } = openOf('adreswijziging', applications.data ?? []);
  if (running !== undefined)
    return (
      <Screen key="loopt" title="Adres voor post wijzigen" back={BACK}>
        <Running of={running} />
        <Panel title="Het adres dat u hebt doorgegeven">
          <AskedAddress of={running} />
        </Panel>
      </Screen>
    );

  const faults = Object.fromEntries(
    (submission.failure?.problem.errors ?? []).map(({ pointer, detail }) => [pointer.slice(1), detail]),
  );
  const input = (name: 'straat' | 'postcode' | 'woonplaats', label: string, more: object) => (
    <TextField
      id={name}
      label={label}
      value={asked[name]}
      error={faults[name]}
      {...more}
      onInput={(text: string) => {
        submission.changed((pointer) => pointer === `/${name}`);
        setAsked({ ...asked, [name]: text });
      }}
    />
  );
  return (
    <Screen
      title="Adres voor post wijzigen"
      isWrong={submission.failure !== undefined && submission.failure.problem.status < 500}
      lead="Wij sturen brieven op papier dan naar dit adres. Uw woonadres verandert daardoor niet."
      back={BACK}
    >
      <Panel title="Uw woonadres nu">
        {loaded(known, 'Uw adres', ({ adres }) => (
          <>
            <Home of={adres} />
            {adres && hasSecretAddress() && (
              <p class="hint">Dit adres is geheim: wij laten het aan niemand anders zien.</p>
            )}
            {!granted && hasHome && <p class="hint">Onze brieven op papier gaan nu ook naar dit adres.</p>}
          </>
        ))}
      </Panel>
      {granted && (
        <Panel title="Uw adres voor post nu">
          <AskedAddress of={granted} />
        </Panel>
      )}
      <form
        class="panel"
        noValidate
        aria-labelledby="nieuw-adres"
        onSubmit={(event: Event) => {
          event.preventDefault();
          submission.submit(asked);
        }}
      >
        <h2 class="utrecht-heading-2" id="nieuw-adres">
          Nieuw adres
        </h2>
        {known.data && (
          <p>
            {known.data.adres
              ? 'Dit moet een adres in Nederland zijn, omdat u in Nederland woont.'
              : `Woont u niet in Nederland? Dan mag u een adres in het buitenland geven. Vul geen land in: wij schrijven het land waar u woont erbij. Is het adres in een ander land? Bel ons dan op ${PHONE}.`}
          </p>
        )}
        <Failure
          of={submission.failure}
          retry={submission.retry}
          takesFocus
          fieldOf={(pointer: string) => (pointer === '' ? null : pointer.slice(1))}
        />
        {input('straat', 'Straat en huisnummer', {
          autocomplete: 'address-line1',
          hint: 'Bijvoorbeeld: Lindelaan 12 A',
        })}
        {input('postcode', 'Postcode', {
          autocomplete: 'postal-code',
          size: 'short',
          hint: known.data?.adres && 'Bijvoorbeeld: 3511 AB',
        })}
        {input('woonplaats', 'Woonplaats', { autocomplete: 'address-level2' })}
        <div class="buttons">
          <Button type="submit" look="primary-action" busy={submission.busy}>
            Indienen
          </Button>
          <ButtonLink to={['overzicht']} onClick={forget}>
            Annuleren
          </ButtonLink>
        </div>
      </form>
    </Screen>
  );
}
