import { closestMatch } from 'leven';
import type * as z from 'zod';
import { isEveryAddress } from '../domain/host-name.ts';
import { type Config, ConfigError, toConfig } from './config.ts';
import { findContradictions } from './contradictions.ts';
import { findUnknownVariables, withSecretFiles } from './variable-names.ts';
import { DEPLOYMENTS, variables } from './variables.ts';

export type * from './config.ts';
export { ConfigError, isProductionLike } from './config.ts';

/**
 * Throws a `ConfigError` with all faults found. An empty variable counts as absent; an unknown variable that looks like
 * a known one is a fault. With `needsDeployment` an absent `DEPLOYMENT` is a fault too.
 */
export function readConfig(env: NodeJS.ProcessEnv, { needsDeployment = false } = {}): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const secrets = withSecretFiles(present);
  // Parsed once, so zod need not generate code for it.
  const parsed = variables.safeParse(secrets.values, { jitless: true });
  const issues = parsed.error?.issues ?? [];
  const lacksDeployment = needsDeployment && present.DEPLOYMENT === undefined;
  const wrong = new Set([
    ...issues.map((issue) => String(issue.path[0])),
    ...secrets.faults.map((fault) => fault.replace(/_FILE:.*/, '')),
    ...(lacksDeployment ? ['DEPLOYMENT'] : []),
  ]);
  const faults = [
    ...findUnknownVariables(Object.keys(present)),
    ...secrets.faults,
    ...issues.map((issue) => `${issue.path.join('.')}: ${messageOf(issue)}`),
    ...(lacksDeployment ? [NO_DEPLOYMENT] : []),
  ];
  const usable = Object.entries(secrets.values).filter(([name]) => !wrong.has(name));
  // A misspelled IDENTITY is checked as the one that was meant, so that the faults of its variables are reported too.
  const { options: identities } = variables.shape.IDENTITY.unwrap();
  const IDENTITY = wrong.has('IDENTITY')
    ? closestMatch(`${present.IDENTITY}`.toLowerCase(), identities, { maxDistance: 2 })
    : undefined;
  const values = parsed.data ?? variables.parse({ ...Object.fromEntries(usable), ...(IDENTITY && { IDENTITY }) });
  const config = toConfig(values, present);
  const isReported = (fault: string) => wrong.has(fault.split(':')[0] ?? '');
  // The rules between variables depend on the deployment, so they need a valid one.
  if (!wrong.has('DEPLOYMENT'))
    faults.push(...findContradictions(config, values, present).filter((fault) => !isReported(fault)));
  if (!wrong.has('PORT')) faults.push(...findPortFaults(config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

const NO_DEPLOYMENT = `DEPLOYMENT: this build has no default; set it to ${DEPLOYMENTS.join(', ')}`;

// The words of zod for a list of values are not for a user.
const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value' ? `must be ${issue.values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}` : issue.message;

// The management port may not be the port of the service.
function findPortFaults({ host, port, management }: Config): string[] {
  if (port === 0 || management?.port !== port) return [];
  const isOneAddress = host === management.host || [host, management.host].some(isEveryAddress);
  return isOneAddress ? ['MANAGEMENT_PORT: must differ from PORT'] : [];
}
