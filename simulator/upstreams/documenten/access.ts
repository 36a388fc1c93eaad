/** The credentials of the simulated document store. They are not secret: the simulator has only fictional data. */
export const DOCUMENTS_ACCESS = {
  clientId: 'zorgregister-bff',
  secret: 'niet-geheim-dit-is-een-simulator-van-documenten',
  rsin: '999990639',
  informatieobjecttype:
    'https://documenten.example.nl/catalogi/api/v1/informatieobjecttypen/5d4b1a0e-3d0b-4f2e-9a53-0c6b9f0a7c11',
} as const;
