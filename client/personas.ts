/** Made by `npm run client` from the personas; not to be edited. */

/** With which headers each persona calls. */
export const PERSONAS = {
  /** May apply for herregistratie: the deadline is in four months. The simplest case. */
  'sanne-de-wit': { 'X-Subject': 'sanne-de-wit' },
  /** Has two months to the deadline and too few hours, so the scholing question applies. A certificate is uploaded. */
  'joost-van-buren': { 'X-Subject': 'joost-van-buren' },
  /** A specialist, so herregistratie is not needed. Has two annotations. */
  'amira-el-idrissi': { 'X-Subject': 'amira-el-idrissi' },
  /** Is suspended by the disciplinary court for five more months; his deadline is in three. He may apply, and a person judges it. */
  'pieter-hoekstra': { 'X-Subject': 'pieter-hoekstra' },
  /** Was struck off eight months ago because she did not renew her registration. May apply for a new registration. */
  'wilma-dekker': { 'X-Subject': 'wilma-dekker' },
  /** Graduated three weeks ago and is not registered yet. DUO has her diploma. */
  'noor-bakker': { 'X-Subject': 'noor-bakker' },
  /** Has an mbo diploma of 27 years ago, older than the diploma register of DUO: she enters it by hand. A scan is uploaded. */
  'gerda-postma': { 'X-Subject': 'gerda-postma' },
  /** A nurse with a Romanian diploma that DUO does not have: she applies with a foreign diploma and a language test. Two of six documents are uploaded. */
  'elena-marin': { 'X-Subject': 'elena-marin' },
  /** Has no burgerservicenummer and lives in Antwerp, so he is not in the BRP. A limitation is an annotation. */
  'tomasz-wolski': { 'X-Subject': 'tomasz-wolski' },
  /** Has a secret address, the higher norm of 3,120 hours, a deadline in three years, and a name with diacritics. */
  'fatima-yilmaz': { 'X-Subject': 'fatima-yilmaz' },
  /** Has a herregistratie request in progress that a person decides on. The current letter is about this request. */
  'lotte-van-dijk': { 'X-Subject': 'lotte-van-dijk' },
  /** Is registered for another year. Has two concepts, a rejected request, and documents in every state: uploaded, being checked, rejected, in use. */
  'ruben-smit': { 'X-Subject': 'ruben-smit' },
  /** Is three days past the deadline and still registered, because her request is in progress. */
  'ingrid-visser': { 'X-Subject': 'ingrid-visser' },
  /** Drafts the letter about Lotte, which has one empty placeholder, and submits it. Not in the register. */
  'drafter-dana': { 'X-Subject': 'drafter-dana', 'X-Role': 'drafter' },
  /** Approves or rejects the letter about Lotte; may not edit it. Not in the register. */
  'approver-anna': { 'X-Subject': 'approver-anna', 'X-Role': 'approver' },
  /** May do everything with a letter except approve or reject their own, and may delete documents of others. Not in the register. */
  'admin-ali': { 'X-Subject': 'admin-ali', 'X-Role': 'admin' },
  /** A case handler. May not read data of professionals (403); drafts and submits letters. */
  'behandelaar-bas': { 'X-Medewerker': 'behandelaar-bas', 'X-Rollen': 'behandelaar' },
  /** A team lead. May not read data of professionals (403); drafts letters, and approves or rejects letters of others. */
  'teamlead-tess': { 'X-Medewerker': 'teamlead-tess', 'X-Rollen': 'behandelaar,teamlead' },
} as const;
