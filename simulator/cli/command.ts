import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { type ControlOperation, fillPath, PATH_PARAMETERS, parametersIn, withQuery } from '../control/operation.ts';
import { type Printed, toText } from '../control/print.ts';
import { parseJsonFile } from '../persona-files/json-file.ts';
import { similarTo } from '../text.ts';
import { CliError, type ControlClient } from './client.ts';

/** Read the members only while a command runs: before that, the options are not parsed. */
export interface Session {
  /** A client of the simulator at `--url`. Reading this member throws a `CliError` when that address is not valid. */
  readonly control: ControlClient;
  /** Path of the control API for the world in `--world`, or the default world: `/worlds/<world>`. */
  readonly world: string;
  /** Path like `world`, for a persona: of the world in its name (`sanne-de-wit@demo`), or else the value of `world`. */
  worldOf(persona: string): string;
  readonly namesWorld: boolean;
  readonly json: boolean;
  print(result: Printed): void;
  /** Prints a text and a line feed, for a command that prints its result in parts. */
  write(text: string): void;
}

export const parseOneOf =
  <Word extends string>(known: readonly Word[]) =>
  (given: string): Word => {
    const found = known.find((one) => one === given);
    if (found !== undefined) return found;
    const near = similarTo(given, known);
    const meant = near === undefined ? '' : `Did you mean ${near}? `;
    throw new InvalidArgumentError(`${meant}Choose from: ${known.join(', ')}.`);
  };

/** Throws an `InvalidArgumentError` for any text but such as `12`, `0.5` or `.5`: `0x10` and `1e3` too. */
export function parseNumber(text: string): number {
  if (/^-?(\d{1,15}(\.\d{1,15})?|\.\d{1,15})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a number.');
}

export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Name another file.`);
  }
  try {
    return parseJsonFile(text);
  } catch (error) {
    throw new CliError(`${file} is ${(error as Error).message}.`);
  }
}

export function writeJson(file: string, json: unknown): Printed {
  return { ...writeBytes(file, `${JSON.stringify(json, null, 2)}\n`), json };
}

/** Replaces an existing file. Throws a `CliError` when it cannot be written. */
export function writeBytes(file: string, content: string | Uint8Array): Printed {
  try {
    writeFileSync(file, content);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new CliError(`${file} cannot be written (${code}). Name a file in a folder that exists.`);
  }
  return toText(`Written to ${file}.`);
}

export function addDeclaredCommand(program: Command, session: Session, operation: ControlOperation): void {
  const { command: declared, method, path, body, query, description } = operation;
  if (declared === undefined) return;
  const { name, file, print } = declared;
  const command = program.command(name).description(declared.description ?? description);
  const inPath = parametersIn(path).filter((one) => one !== 'world');
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
    const params = Object.fromEntries(inPath.map((one, index) => [one, given[index] ?? '']));
    const target = fillPath(path.replace('/worlds/{world}', session.world), params);
    const sent = members.map(([member], index) => [member, given[inPath.length + index]]);
    const [last = ''] = given.slice(-1);
    const content = file === 'read' ? readJson(last) : body && Object.fromEntries(sent);
    const search = new URLSearchParams(command.opts<Record<string, string>>());
    const answer = await session.control.call(method, withQuery(target, search), content);
    session.print(file === 'write' ? writeJson(last, answer) : (print?.(answer, given) ?? { json: answer, text: '' }));
  });
}

export const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
