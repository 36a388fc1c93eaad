/** True in the project `long` (vitest.config.ts), which tries every case. */
export const EVERY_CASE = process.env.EVERY_CASE === 'yes';

/** Returns all cases in the project `long`, and elsewhere this number of them, from the first to the last. */
export function casesOf<Case>(all: readonly Case[], number: number): Case[] {
  if (EVERY_CASE || all.length <= number) return [...all];
  const step = (all.length - 1) / Math.max(1, number - 1);
  return Array.from({ length: number }, (_, n) => all[Math.round(n * step)] as Case);
}
