/** Made by `npm run client` from the personas; not to be edited. */

/** With which headers each persona calls. */
export const PERSONAS = {
  /** Eligible for herregistratie: four months before the deadline. The plain, sunny case. */
  'sanne-de-wit': { 'X-Subject': 'sanne-de-wit' },
  /** Two months before the deadline, and too few hours: the norm and the scholing question. A certificate is uploaded. */
  'joost-van-buren': { 'X-Subject': 'joost-van-buren' },
  /** A specialist: herregistratie is not needed. Two annotations. */
  'amira-el-idrissi': { 'X-Subject': 'amira-el-idrissi' },
  /** Suspended by the disciplinary court for five months more, with the measure as an annotation. */
  'pieter-hoekstra': { 'X-Subject': 'pieter-hoekstra' },
  /** Struck off eight months ago for not re-registering; may register anew. */
  'wilma-dekker': { 'X-Subject': 'wilma-dekker' },
  /** Graduated three weeks ago and not registered yet; the diploma is at DUO. */
  'noor-bakker': { 'X-Subject': 'noor-bakker' },
  /** An mbo diploma of 27 years ago, from before DUO kept them: the manual way. A scan of it is uploaded. */
  'gerda-postma': { 'X-Subject': 'gerda-postma' },
  /** A nurse with a Romanian diploma, unknown to DUO: the foreign way, with a language test. Two of six documents are uploaded. */
  'elena-marin': { 'X-Subject': 'elena-marin' },
  /** No burgerservicenummer, lives in Antwerp: the BRP knows nobody. A limitation as an annotation. */
  'tomasz-wolski': { 'X-Subject': 'tomasz-wolski' },
  /** A secret address, the higher norm of 3,120 hours, a deadline three years away, and a name with diacritics. */
  'fatima-yilmaz': { 'X-Subject': 'fatima-yilmaz' },
  /** A herregistratie under treatment, judged by hand: the letter in flight is about it. */
  'lotte-van-dijk': { 'X-Subject': 'lotte-van-dijk' },
  /** Registered with a year to go; two concepts, a refused request, and documents uploaded, being checked, rejected, and in use. */
  'ruben-smit': { 'X-Subject': 'ruben-smit' },
  /** Three days past the deadline and still registered, because a request runs. */
  'ingrid-visser': { 'X-Subject': 'ingrid-visser' },
  /** Drafts the letter about Lotte, one blank still open, and submits it. Not a professional of the register. */
  'drafter-dana': { 'X-Subject': 'drafter-dana', 'X-Role': 'drafter' },
  /** Approves or rejects the letter about Lotte; may not write in it. Not a professional of the register. */
  'approver-anna': { 'X-Subject': 'approver-anna', 'X-Role': 'approver' },
  /** May do all with a letter but judge their own, and removes documents of others. Not a professional of the register. */
  'admin-ali': { 'X-Subject': 'admin-ali', 'X-Role': 'admin' },
  /** A case handler. Sees nothing of professionals (403); drafts and submits letters. */
  'behandelaar-bas': { 'X-Medewerker': 'behandelaar-bas', 'X-Rollen': 'behandelaar' },
  /** A team lead. Sees nothing of professionals (403); drafts letters, and judges those of others. */
  'teamlead-tess': { 'X-Medewerker': 'teamlead-tess', 'X-Rollen': 'behandelaar,teamlead' },
} as const;
