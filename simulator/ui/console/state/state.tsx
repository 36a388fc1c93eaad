import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Options, Select } from '../../components/fields.tsx';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { address, go } from '../app/address.ts';
import { api, inWorld } from '../app/api.ts';
import { app, Panel, type Part, usePart } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { bind, Form, Lines, useChoice } from '../elements/controls.tsx';
import { DayOnOneLine, toneOf } from '../elements/values.tsx';
import { CASE_KINDS, label, UPLOAD_STATES } from '../texts.ts';
import type { Letter, Upload, Zaak } from '../types.d.ts';

export function StatePanel() {
  const part = usePart();
  return (
    <Panel id="stand" title="Zaken, brief en uploads" of={part}>
      <h3 class="utrecht-heading-3">Zaken van iedereen</h3>
      <Lines
        // Cases in two worlds can have the same reference.
        items={(store.shown.zaken.value ?? []).map((zaak) => (
          <Case key={`${store.world}/${zaak.referentie}`} of={zaak} part={part} />
        ))}
        empty={toMijn('Er zijn geen zaken in deze wereld.')}
      />
      <h3 class="utrecht-heading-3">Brief</h3>
      <LetterState part={part} />
      <h3 class="utrecht-heading-3">Uploads van iedereen</h3>
      <Lines
        items={(store.shown.uploads.value ?? []).map((one) => <UploadLine key={one.documentId} of={one} part={part} />)}
        empty={toMijn('Er zijn geen uploads in deze wereld.')}
      />
    </Panel>
  );
}

const toMijn = (text: string) => (
  <Empty action="Begin in Mijn register" onAction={() => go({ tab: 'mijn' })}>
    {text}
  </Empty>
);

const STATUSES: Record<Zaak['status'], string> = {
  ontvangen: 'ontvangen',
  'in-behandeling': 'in behandeling',
  besloten: 'besloten',
};
const OUTCOMES = { goedgekeurd: 'toegewezen', afgewezen: 'afgewezen', 'buiten-behandeling': 'buiten behandeling' };

function Case({ of, part }: { of: Zaak; part: Part }) {
  const { referentie, soort, slug, status, handmatig, ontvangenOp, besluit } = of;
  const isMarked = address.case.value === referentie;
  const line = useRef<HTMLLIElement>(null);
  const [reason, setReason] = useState('');
  useEffect(() => {
    if (isMarked) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);

  function decide(uitkomst: string | null, reden = '') {
    const path = `${inWorld(store.world)}/zaken/${encodeURIComponent(referentie)}/besluit`;
    const stand = uitkomst === null ? STATUSES['in-behandeling'] : label(OUTCOMES, uitkomst);
    const body = { uitkomst, ...(reden !== '' && { reden }) };
    return app.run(part, async () => {
      await api(path, uitkomst === null ? { method: 'DELETE' } : { method: 'PUT', body });
      return `Zaak ${referentie}: ${stand}.`;
    });
  }

  return (
    <li class="line" aria-current={isMarked ? 'true' : undefined} ref={line}>
      <div>
        <strong>{label(CASE_KINDS, soort)}</strong> {app.nameOf(slug)} · {referentie} ·{' '}
        <DayOnOneLine day={ontvangenOp} />{' '}
        <Badge tone={toneOf(besluit?.uitkomst ?? null)}>
          {besluit === null ? label(STATUSES, status) : label(OUTCOMES, besluit.uitkomst)}
        </Badge>{' '}
        {handmatig && <Badge tone="info">met de hand</Badge>} {besluit !== null && <DayOnOneLine day={besluit.datum} />}
        {besluit?.reden && `: ${besluit.reden}`}
      </div>
      <div class="buttons">
        <Button onClick={() => decide('goedgekeurd')} about={referentie}>
          Wijs toe
        </Button>
        <input
          class="utrecht-textbox"
          autocomplete="off"
          aria-label={`Reden om ${referentie} af te wijzen of buiten behandeling te laten`}
          placeholder="Reden"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Button onClick={() => decide('afgewezen', reason.trim())} about={referentie}>
          Wijs af
        </Button>
        <Button onClick={() => decide('buiten-behandeling', reason.trim())} about={referentie}>
          Laat buiten behandeling
        </Button>
        {(besluit !== null || !handmatig) && (
          <Button onClick={() => decide(null)} about={referentie}>
            Terug in behandeling
          </Button>
        )}
      </div>
    </li>
  );
}

const TAGS: Record<Letter['tag'], string> = {
  draft: 'concept',
  submitted: 'ter beoordeling',
  approved: 'goedgekeurd',
  rejected: 'afgekeurd',
  sent: 'verzonden',
};
const DECISIONS = {
  goedgekeurd: 'een besluit: toewijzen',
  afgewezen: 'een besluit: afwijzen',
  'buiten-behandeling': 'een besluit: buiten behandeling',
};
/** The templates of a letter without a decision. */
const TEMPLATES = {
  'aanvulling-gevraagd': 'een verzoek om aanvulling',
  'voornemen-afwijzing': 'een voornemen om af te wijzen',
};

function LetterState({ part }: { part: Part }) {
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
    app.run(part, async () => {
      const body = {
        tag: tag.value,
        ...(isListed && { referentie: about.value }),
        ...(start.value !== '' && { [start.value in TEMPLATES ? 'templateId' : 'uitkomst']: start.value }),
      };
      await api(`${inWorld(store.world)}/brief`, { method: 'PUT', body });
      start.value = '';
      about.value = '';
      return `De brief is nu ${label(TAGS, body.tag)}.`;
    });

  return (
    <div>
      {brief && (
        <p class="utrecht-paragraph">
          <Badge tone="info">{label(TAGS, brief.tag)}</Badge> {peopleOf(brief)}
        </p>
      )}
      {brief === null && (
        <Empty action="Open als Dana Mulder" onAction={() => go({ person: 'drafter-dana', tab: 'mijn' })}>
          Er is nog geen brief in deze wereld. Open hem als Dana Mulder, of zet hem hieronder in een stand.
        </Empty>
      )}
      <Form of={part} onSubmit={put}>
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
          options={[['', 'de brief zoals hij is'], ...Object.entries({ ...DECISIONS, ...TEMPLATES })]}
        />
        <Select {...bind(tag)} label="Stand van de brief" options={Object.entries(TAGS)} />
        <Button type="submit">Zet in deze stand</Button>
      </Form>
    </div>
  );
}

function peopleOf({ referentie, drafterId, submittedBy, approvedBy }: Letter) {
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

function UploadLine({ of, part }: { of: Upload; part: Part }) {
  const { documentId, slug, categoryId, localId, bestandsnaam, state } = of;
  const naam = bestandsnaam ?? localId;
  const [shown, choose] = useChoice<string>(state, (wanted) =>
    app.run(part, async () => {
      const path = `${inWorld(store.world)}/uploads/${encodeURIComponent(documentId)}`;
      await api(path, { method: 'PUT', body: { state: wanted } });
      return `${naam}: ${label(UPLOAD_STATES, wanted)}.`;
    }),
  );

  return (
    <li class="line">
      <div>
        <strong>{naam}</strong> {app.nameOf(slug)} · {categoryId.replaceAll('-', ' ')}
      </div>
      <Options
        value={shown}
        onInput={choose}
        options={Object.entries(UPLOAD_STATES)}
        aria-label={`Stand van ${naam}, ${app.nameOf(slug)}`}
      />
    </li>
  );
}
