import { MEMBERS, MEMBERS_OF } from '../../src/openapi/narrow/problems.ts';
import { commentOn, type Types } from './narrow-types.ts';

/** Returns the source text of the type `ProblemMembers`: the extra members of problems, keyed by code. */
export function problemTypes(types: Types): string {
  const typeOf = (name: keyof typeof MEMBERS) =>
    name === 'errors' ? 'readonly Fault[]' : types.typeOf(MEMBERS[name], name);
  const codes = Object.entries(MEMBERS_OF).map(([code, members]) => {
    const written = members.map((member) => {
      const name = member.replace('?', '') as keyof typeof MEMBERS;
      return `${commentOn('MEMBERS', name)} ${member}: ${typeOf(name)}`.trim();
    });
    return `  '${code}': { ${written.join('; ')} };`;
  });
  return [
    '/** The extra members of problems, keyed by problem code. Other problems have none. */',
    'export interface ProblemMembers {',
    ...codes,
    '}',
  ].join('\n');
}
