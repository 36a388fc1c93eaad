import type { ApplicationType } from '../../../../src/wire/values.ts';
import type { InboxLetter, Letter, Zaak } from '../types.d.ts';

/**
 * Dutch texts about the data of a world: cases, the letter, documents, the mailbox and snapshots.
 */
export const worldTexts = {
  state: {
    title: 'Zaken, brief en uploads',
    zaken: 'Zaken',
    noZaken: 'Er zijn geen zaken in deze wereld.',
    soorten: {
      registratie: 'Registratie',
      herregistratie: 'Herregistratie',
      intake: 'Intake',
      adreswijziging: 'Adreswijziging',
    },
    statuses: { ontvangen: 'ontvangen', 'in-behandeling': 'in behandeling', besloten: 'besloten' },
    outcomes: { goedgekeurd: 'toegewezen', afgewezen: 'afgewezen', 'buiten-behandeling': 'buiten behandeling' },
    byHand: 'met de hand',
    grant: 'Wijs toe',
    refuse: 'Wijs af',
    leave: 'Behandel niet',
    back: 'Terug in behandeling',
    reason: 'Reden',
    reasonOf: (referentie: string) => `Reden om ${referentie} af te wijzen of niet te behandelen`,
    decided: (referentie: string, stand: string) => `Zaak ${referentie}: ${stand}.`,
    brief: 'Brief',
    noBrief: 'Er is nog geen brief in deze wereld. Open hem als Dana Mulder, of zet hem hieronder in een stand.',
    letterAbout: 'Zaak van de brief',
    sameCase: 'de zaak die hij heeft',
    letterStart: 'Begin met',
    sameStart: 'de brief zoals hij is',
    starts: {
      goedgekeurd: 'een besluit: toewijzen',
      afgewezen: 'een besluit: afwijzen',
      'buiten-behandeling': 'een besluit: buiten behandeling',
      'aanvulling-gevraagd': 'een verzoek om aanvulling',
    },
    letterTag: 'Stand van de brief',
    tags: {
      draft: 'concept',
      submitted: 'voorgelegd',
      approved: 'goedgekeurd',
      rejected: 'afgekeurd',
      sent: 'verzonden',
    },
    put: 'Zet in deze stand',
    about: 'Over zaak',
    drafter: 'Opgesteld door',
    submittedBy: 'Voorgelegd door',
    approvedBy: 'Goedgekeurd door',
    letterPut: (tag: string) => `De brief is nu ${tag}.`,
    uploads: 'Uploads',
    noUploads: 'Er zijn geen uploads in deze wereld.',
    toMijn: 'Begin in Mijn register',
    toDrafter: 'Open als Dana Mulder',
    uploadStates: { uploaded: 'geüpload', pending: 'wordt gecontroleerd', rejected: 'geweigerd' },
    uploadState: (naam: string) => `Stand van ${naam}`,
    uploadPut: (naam: string, state: string) => `${naam}: ${state}.`,
    nameless: 'Document zonder naam',
  },
  mailbox: {
    title: 'Post',
    intro:
      'Wat het register tot vandaag heeft gestuurd, uit zichzelf en als antwoord op een aanvraag; de nieuwste eerst.',
    search: 'Zoek in de post',
    of: 'Post van',
    everybody: 'iedereen',
    kind: 'Soort',
    all: 'alle',
    kinds: {
      ontvangstbevestiging: 'Ontvangstbevestiging',
      'bericht-vertraging': 'Bericht van vertraging',
      brief: 'Brief van een medewerker',
      besluit: 'Besluit',
      oproep: 'Oproep',
      herinnering: 'Herinnering',
      'voornemen-doorhaling': 'Voornemen tot doorhaling',
      'besluit-doorhaling': 'Besluit tot doorhaling',
      'bericht-vervallen': 'Bericht dat een registratie vervalt',
    },
    count: (count: number) => (count === 1 ? '1 bericht' : `${count} berichten`),
    to: 'Aan',
    byClock: 'door de termijn van de registratie',
    case: (referentie: string) => `zaak ${referentie}`,
    calls: (referentie: string) => `aanroepen over ${referentie}`,
    none: 'Er is tot vandaag niets gestuurd.',
    noneAction: 'Zet de klok verder',
    nothing: 'Er is tot vandaag niets gestuurd dat hierbij past.',
    clear: 'Toon alle post',
    channels: { berichtenbox: 'Berichtenbox', post: 'per post' },
    show: 'Toon',
    pdf: 'PDF',
  },
  snapshots: {
    title: 'Momentopnamen',
    name: 'Naam',
    save: 'Bewaar deze wereld',
    saved: (name: string) => `Momentopname ${name} is bewaard.`,
    none: 'Er zijn nog geen momentopnamen.',
    noneAction: 'Geef er een naam',
    restore: 'Zet terug',
    restored: (name: string) => `Momentopname ${name} is teruggezet.`,
    download: 'Download',
    remove: 'Verwijder',
    removed: (name: string) => `Momentopname ${name} is verwijderd.`,
    upload: 'Momentopname uit een bestand',
    uploaded: (name: string) => `Momentopname ${name} is ingelezen.`,
    from: (world: string, at: string) => `wereld ${world}, ${at}`,
  },
} satisfies {
  state: {
    soorten: Record<ApplicationType, string>;
    statuses: Record<Zaak['status'], string>;
    tags: Record<Letter['tag'], string>;
    [name: string]: unknown;
  };
  mailbox: { kinds: Record<InboxLetter['kind'], string>; [name: string]: unknown };
  [name: string]: unknown;
};
