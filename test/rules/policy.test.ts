import { describe, expect, it } from 'vitest';
import { briefPdf } from '../../simulator/host/pages/brief-pdf.ts';
import type { Caller } from '../../src/auth/identity.ts';
import { admit, type CallerGroup, isAdmitted, notAdmitted, refusedCheck } from '../../src/auth/policy.ts';
import { type Action, contentAfter, demandFourEyes, demandStatus, TRANSITIONS } from '../../src/brief/actions.ts';
import type { BriefDeps } from '../../src/brief/placeholders.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import type { Brief } from '../../src/ports/store/brief-store.ts';
import { BRIEF_TAGS } from '../../src/wire/values.ts';
import { OPERATIONS } from '../support/operations.ts';

const professional = (...roles: Extract<Caller, { kind: 'professional' }>['roles']): Caller => ({
  kind: 'professional',
  subject: 's',
  bsn: null,
  loginId: 'l',
  workspace: 'w',
  roles,
});
const staff = (...roles: Extract<Caller, { kind: 'staff' }>['roles']): Caller => ({
  kind: 'staff',
  subject: 's',
  workspace: 'w',
  roles,
});

/** Every caller with at most one role. */
const CALLERS: Readonly<Record<string, Caller>> = {
  'a professional': professional(),
  'a drafter': professional('drafter'),
  'an approver': professional('approver'),
  'an admin': professional('admin'),
  'staff without a role': staff(),
  'a behandelaar': staff('behandelaar'),
  'a teamlead': staff('teamlead'),
  'a beheerder': staff('beheerder'),
};
const PROFESSIONALS = ['a professional', 'a drafter', 'an approver', 'an admin'];
const LETTER = ['a drafter', 'an approver', 'an admin', 'a behandelaar', 'a teamlead'];

/** Who may use each operation (domain.md 4.1); all others are for professionals. */
const ADMITTED: Readonly<Record<string, readonly string[]>> = {
  health: [],
  healthReady: [],
  openapi: [],
  adminDeleteUpload: ['an admin', 'a beheerder'],
  brief: LETTER,
  briefSend: LETTER,
  briefReset: LETTER,
  briefPdf: LETTER,
  saveBrief: ['a drafter', 'an admin', 'a behandelaar'],
  briefSubmit: ['a drafter', 'an admin', 'a behandelaar'],
  briefApprove: ['an approver', 'an admin', 'a teamlead'],
  briefReject: ['an approver', 'an admin', 'a teamlead'],
};

const ALL = [...OPERATIONS, ...briefPdf({} as BriefDeps)];

describe('the operation', () => {
  it.each(['unknown', 'toString', '__proto__'])('with the group %s, which does not exist, admits no caller', (name) => {
    const group = name as CallerGroup;
    for (const caller of Object.values(CALLERS)) {
      expect(isAdmitted(group, caller)).toBe(false);
      expect(() => admit(group, caller)).toThrow(expect.objectContaining({ status: 403, code: 'rol-ontbreekt' }));
    }
  });

  it('in the table exists', () => {
    expect(ALL.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(ADMITTED)));
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
  });

  it.each(ALL)('$id admits and describes the callers of domain.md 4.1, and refuses others with 403', (operation) => {
    const { id, admits: group } = operation;
    const admitted = ADMITTED[id] ?? PROFESSIONALS;
    expect(Object.keys(CALLERS).filter((name) => isAdmitted(group, CALLERS[name] as Caller))).toEqual(admitted);
    for (const [name, caller] of Object.entries(CALLERS)) {
      if (admitted.includes(name)) expect(() => admit(group, caller)).not.toThrow();
      else expect(() => admit(group, caller)).toThrow(notAdmitted(group, caller.roles));
    }
    const isPublic = admitted.length === 0;
    expect(group === 'anyone').toBe(isPublic);
    const roles = admitted === PROFESSIONALS ? [] : admitted.map((name) => name.replace(/^an? /, ''));
    const said = JSON.stringify(openapiDocument([operation]).paths).match(/Voor de rol (.+?)\."/)?.[1];
    expect(said?.split(/, | of /) ?? []).toEqual(roles);
    expect(notAdmitted(group, [])).toMatchObject({ status: 403, code: 'rol-ontbreekt' });
    expect(notAdmitted(group, []).detail).toContain(isPublic ? 'openbaar' : 'voor');
  });

  it('a refusal names the roles that the caller has', () => {
    expect(notAdmitted('letterApprover', ['drafter']).detail).toMatch(/ U bent ingelogd als opsteller\.$/);
    expect(notAdmitted('letterApprover', ['behandelaar', 'beheerder']).detail).toMatch(
      / als behandelaar en beheerder\.$/,
    );
    expect(notAdmitted('letterApprover', []).detail).toMatch(/ U hebt geen rol\.$/);
  });

  it.each<[CallerGroup, Caller['roles'], string]>([
    ['professional', ['teamlead'], 'kind of caller'],
    ['letter', [], 'no role'],
    ['letterApprover', ['behandelaar', 'beheerder'], 'role: only behandelaar, beheerder'],
  ])('a refusal by the group %s of a caller with the roles %j is logged as: %s', (group, roles, logged) => {
    expect(refusedCheck(group, { roles } as Caller)).toBe(logged);
  });

  it('a refusal of staff by an operation for professionals names no roles, because no role would help', () => {
    expect(notAdmitted('professional', ['behandelaar']).detail).not.toContain('behandelaar');
    expect(notAdmitted('professional', []).detail).toBe(notAdmitted('professional', ['behandelaar']).detail);
  });

  it('brief admits a caller with several roles when one of them is allowed', () => {
    expect(isAdmitted('letterDrafter', staff('teamlead', 'behandelaar'))).toBe(true);
    expect(isAdmitted('letterDrafter', professional('approver', 'drafter'))).toBe(true);
  });
});

/** The statuses in which each action is possible, and the status after it (domain.md 4.8). */
const POSSIBLE: Readonly<Record<Action, { readonly from: readonly string[]; readonly to: string }>> = {
  save: { from: ['draft', 'rejected'], to: 'draft' },
  submit: { from: ['draft', 'rejected'], to: 'submitted' },
  approve: { from: ['submitted'], to: 'approved' },
  reject: { from: ['submitted'], to: 'rejected' },
  send: { from: ['approved'], to: 'sent' },
  reset: { from: BRIEF_TAGS, to: 'draft' },
};
const ACTIONS = Object.keys(TRANSITIONS) as Action[];
const brief: Brief = {
  briefId: 'b',
  workspace: 'w',
  version: 3,
  tag: 'draft',
  sentAt: null,
  sending: null,
  drafterId: null,
  savedBy: ['dana'],
  submitters: ['dana'],
  submittedBy: null,
  submittedAt: null,
  comments: 'Anders.',
} as unknown as Brief;

describe('the action on a letter', () => {
  it.each(ACTIONS)('%s is possible in its statuses, and refused in all others with 409 brief-status', (action) => {
    expect(Object.keys(POSSIBLE)).toEqual(ACTIONS);
    const { from, to } = POSSIBLE[action];
    expect(TRANSITIONS[action].to).toBe(to);
    const possible = BRIEF_TAGS.filter((tag) => {
      try {
        demandStatus({ action, tag });
        return true;
      } catch (error) {
        expect(error).toMatchObject({ status: 409, code: 'brief-status' });
        return false;
      }
    });
    expect(possible).toEqual(BRIEF_TAGS.filter((tag) => from.includes(tag)));
  });

  it('save in the status sent is refused with the statuses in which it is possible', () => {
    const detail = 'De brief is verzonden; dit kan alleen als hij nog een concept of afgekeurd is.';
    expect(() => demandStatus({ action: 'save', tag: 'sent' })).toThrow(expect.objectContaining({ detail }));
  });

  it.each([
    ['who drafted it', { drafterId: 'anna' }],
    ['who saved it', { savedBy: ['dana', 'anna'] }],
    ['who submitted it', { submittedBy: 'anna' }],
    ['who submitted it before somebody else did', { submitters: ['anna', 'dana'] }],
  ])('approve or reject by a person %s is refused with 403 vier-ogen; the other actions are not', (_, worked) => {
    const facts = {
      subject: 'anna',
      drafterId: 'dana',
      savedBy: ['dana'],
      submitters: [],
      submittedBy: 'dana',
      ...worked,
    };
    for (const action of ACTIONS) {
      const demand = () => demandFourEyes({ ...facts, action });
      const refused = { status: 403, detail: expect.stringContaining('zelf geschreven of voorgelegd') };
      if (action === 'approve' || action === 'reject') expect(demand).toThrow(expect.objectContaining(refused));
      else expect(demand).not.toThrow();
      expect(() => demandFourEyes({ ...facts, action, subject: 'tess' })).not.toThrow();
    }
  });

  it('is stored with the person and the time', () => {
    const by = { subject: 'anna', at: '2026-06-01T12:00:00.000Z' };
    const { briefId, workspace, version, tag, sentAt, sending, ...content } = brief;
    expect(contentAfter('save', brief, by)).toEqual({ ...content, drafterId: 'anna', savedBy: ['dana', 'anna'] });
    expect(contentAfter('save', { ...brief, drafterId: 'dana' }, { ...by, subject: 'dana' })).toEqual({
      ...content,
      drafterId: 'dana',
    });
    expect(contentAfter('submit', brief, by)).toEqual({
      ...content,
      submitters: ['dana', 'anna'],
      submittedBy: by.subject,
      submittedAt: by.at,
      comments: null,
    });
    // A letter that an older version of the service stored has only the last submitter.
    const old = { ...brief, submitters: [], submittedBy: 'ali' };
    expect(contentAfter('submit', old, by).submitters).toEqual(['ali', 'anna']);
    expect(contentAfter('approve', brief, by)).toEqual({ ...content, approvedBy: by.subject, approvedAt: by.at });
    const expected = { ...content, rejectedBy: by.subject, rejectedAt: by.at, comments: 'Nee.' };
    expect(contentAfter('reject', brief, { ...by, comments: 'Nee.' })).toEqual(expected);
  });
});
