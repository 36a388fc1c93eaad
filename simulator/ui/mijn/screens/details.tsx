import { Empty, Facts } from '../../components/parts.tsx';
import { Failure, loaded, sharedFailure } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { ButtonLink, DiplomaCards, Extra, Home, Notice, Panel, Screen, Tag } from '../parts.tsx';
import { currentPerson, hasSecretAddress, homeElsewhere } from '../people.ts';
import { isDeceased, openOf } from '../possible.ts';
import { client } from '../session.ts';
import { dateText, PHONE } from '../words.ts';
import { AskedAddress, grantedAddress } from './address.tsx';
import { placeOfRequest } from './applications.tsx';

const NOTE_TONES = { Specialisme: 'info', Vermelding: 'neutral', Maatregel: 'warning', Beperking: 'warning' } as const;

export function Details() {
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }));
  const address = useCall((signal) => client.GET('/brp/address', { signal }));
  const applications = useCall((signal) => client.GET('/applications', { signal }));
  const notes = useCall((signal) => client.GET('/notes', { signal }));
  const diplomas = useCall((signal) => client.GET('/duo/diplomas', { signal }));
  const shared = sharedFailure([dashboard, address, notes, diplomas, applications]);
  if (shared.allFailed)
    return (
      <Screen title="Mijn gegevens">
        <Failure of={shared.failure} retry={shared.again} />
      </Screen>
    );
  const hasDied = isDeceased(dashboard.data?.registration);
  // A panel comes after those above it have their data: it would move at that moment.
  const missing = [dashboard, address, applications, notes].findIndex(
    ({ data, failure }) => data === undefined && failure === undefined,
  );
  const isShown = (above: number) => missing === -1 || missing >= above;
  return (
    <Screen title="Mijn gegevens" lead={!hasDied && 'Wat wij van u weten, en waar het vandaan komt.'}>
      <Failure of={shared.failure} retry={shared.again} />
      <div class="columns">
        <div class="column">
          <Panel title="Persoon">
            {loaded(shared.withoutMessage(dashboard), 'Uw gegevens', ({ person, registration }) => (
              <Facts
                of={[
                  ['Naam', person?.naam ?? registration?.naam ?? 'onbekend'],
                  ['Geboortedatum', dateText(person?.geboortedatum ?? registration?.geboortedatum)],
                ]}
              />
            ))}
          </Panel>
          {!hasDied && isShown(1) && (
            <Panel title="Woonadres">
              {loaded(shared.withoutMessage(address), 'Uw adres', ({ adres }) => (
                <>
                  <Home of={adres} />
                  <p class="hint">
                    {adres
                      ? 'Dit komt uit de Basisregistratie Personen (BRP). Klopt het niet? Meld het bij uw gemeente.'
                      : currentPerson()?.situaties.includes('zonder-bsn')
                        ? `U hebt geen burgerservicenummer. Daarom weten wij dit adres alleen van u. Klopt het niet? Bel ons op ${PHONE}.`
                        : 'Klopt dit niet? Meld het bij uw gemeente, of in het buitenland bij een RNI-loket: dat is de balie voor mensen die niet in Nederland wonen (Registratie Niet-ingezetenen).'}
                  </p>
                  {adres && hasSecretAddress() && (
                    <>
                      <Notice tone="info" title="Uw adres is geheim">
                        Dat heet geheimhouding. U ziet uw adres hier zelf. Wij laten het aan niemand anders zien.
                      </Notice>
                      <Extra>De API van het register zegt niet of een adres geheim is.</Extra>
                    </>
                  )}
                </>
              ))}
            </Panel>
          )}
          {!hasDied && isShown(2) && (
            <Panel title="Adres voor post">
              {loaded(shared.withoutMessage(applications), 'Uw adres voor post', (all) => {
                const granted = grantedAddress(all);
                const { running } = openOf('adreswijziging', all);
                return (
                  <>
                    {granted ? (
                      <AskedAddress of={granted} />
                    ) : (
                      <p>
                        {address.data?.adres || homeElsewhere().length > 0
                          ? 'Onze brieven op papier gaan naar uw woonadres.'
                          : 'Onze brieven op papier gaan naar de plek waar u woont. Weten wij die niet, dan krijgt u geen brieven op papier. Geef dan een adres door.'}
                      </p>
                    )}
                    {running && <p>U hebt een ander adres doorgegeven. Dat behandelen wij nu.</p>}
                    <p class="no-print">
                      <ButtonLink to={running ? placeOfRequest(running) : ['adres']}>
                        {running ? 'Bekijk uw adreswijziging' : 'Ander adres voor post'}
                      </ButtonLink>
                    </p>
                  </>
                );
              })}
            </Panel>
          )}
        </div>
        {isShown(3) && (
          <div class="column">
            <Panel title="Aantekeningen">
              {loaded(shared.withoutMessage(notes), 'Uw aantekeningen', (found) =>
                found.length > 0 ? (
                  <ul class="rows">
                    {found.map(({ type, omschrijving, datum }) => (
                      <li class="row-item" key={`${type}${datum}${omschrijving}`}>
                        <div class="row-item__main">
                          <strong>{omschrijving}</strong>
                          <span class="small">Sinds {dateText(datum)}</span>
                        </div>
                        <Tag of={[type, NOTE_TONES[type]]} />
                      </li>
                    ))}
                  </ul>
                ) : (
                  <Empty>Er zijn geen aantekeningen.</Empty>
                ),
              )}
            </Panel>
            {!hasDied && isShown(4) && (
              <Panel title="Diploma’s">
                {loaded(shared.withoutMessage(diplomas), 'Uw diploma’s', ({ diplomas: found }) => (
                  <>
                    {found.length > 0 ? (
                      <DiplomaCards of={found} />
                    ) : (
                      <Notice tone="info">
                        DUO heeft geen diploma van u dat bij een beroep in dit register hoort. Vraagt u registratie aan?
                        Dan vult u uw diploma zelf in.
                      </Notice>
                    )}
                    <p class="hint">Deze gegevens komen van de Dienst Uitvoering Onderwijs (DUO).</p>
                  </>
                ))}
              </Panel>
            )}
          </div>
        )}
      </div>
    </Screen>
  );
}
