/** The commands that operations of the control API declare: each makes one request. */
import type { Command } from 'commander';
import * as z from 'zod';
import { type ControlOperation, PATH_PARAMETERS } from '../control/operation.ts';
import { parseOneOf, readJson, type Session, writeJson } from './command.ts';

/** Adds the command that an operation declares, if any, with its arguments, options and their help texts. */
export function addDeclaredCommand(program: Command, session: Session, operation: ControlOperation): void {
  const { command: declared, method, path, body, query, description } = operation;
  if (declared === undefined) return;
  const { name, file, print } = declared;
  const command = program.command(name).description(declared.description ?? description);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, one = '']) => (one === 'world' ? [] : [one]));
  for (const one of inPath) command.argument(`<${one}>`, inSentence(PATH_PARAMETERS[one] ?? ''));
  const members = body instanceof z.ZodObject && file === undefined ? Object.entries(body.shape) : [];
  for (const [member, schema] of members)
    if (schema instanceof z.ZodEnum) {
      const words = schema.options.map(String);
      command.argument(`<${member}>`, words.join(', '), parseOneOf(words));
    } else command.argument(`<${member}>`, inSentence(schema.description ?? ''));
  if (file !== undefined) command.argument('<file>', `file to ${file}`);
  for (const [name, schema] of Object.entries(query?.shape ?? {}))
    command.option(`--${name} <${name}>`, inSentence((schema as z.ZodType).description ?? ''));
  command.action(async () => {
    const given: readonly string[] = command.processedArgs;
    const target = inPath.reduce(
      (known, one, index) => known.replace(`{${one}}`, encodeURIComponent(given[index] ?? '')),
      path.replace('/worlds/{world}', session.world),
    );
    const sent = members.map(([member], index) => [member, given[inPath.length + index]]);
    const [last = ''] = given.slice(-1);
    const content = file === 'read' ? readJson(last) : body && Object.fromEntries(sent);
    const search = new URLSearchParams(command.opts<Record<string, string>>());
    const asked = search.size === 0 ? target : `${target}?${search}`;
    const answer = await session.control.call(method, asked, content);
    session.print(file === 'write' ? writeJson(last, answer) : (print?.(answer, given) ?? { json: answer, text: '' }));
  });
}

const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
