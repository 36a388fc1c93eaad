/** The commands for snapshots (saved copies of a world). */
import type { Command } from 'commander';
import { readJson, type Session, toMembers, toRows, toText, writeJson } from './command.ts';
import { toPrintedWorld } from './world-commands.ts';

/** Adds the commands for snapshots to the command line. */
export function addSnapshotCommands(program: Command, session: Session): void {
  const call = (...question: Parameters<Session['control']['call']>) => session.control.call(...question);
  program
    .command('snapshots')
    .description('List the snapshots')
    .action(async () => session.print(toRows(await call('GET', '/snapshots'), 'No snapshots yet.')));
  program
    .command('save')
    .description('Save the world as a snapshot')
    .argument('<name>', 'name of the snapshot')
    .action(async (name: string) =>
      session.print(toMembers(await call('PUT', `${session.world}/snapshots/${encodeURIComponent(name)}`))),
    );
  program
    .command('restore')
    .description('Replace the world by a snapshot, which may be of another world')
    .argument('<name>', 'name of the snapshot')
    .action(async (name: string) =>
      session.print(
        toPrintedWorld(await call('POST', `${session.world}/snapshots/${encodeURIComponent(name)}/restore`)),
      ),
    );
  program
    .command('export')
    .description('Write a snapshot to a file')
    .argument('<name>', 'name of the snapshot')
    .argument('<file>', 'file to write')
    .action(async (name: string, file: string) =>
      session.print(writeJson(file, await call('GET', `/snapshots/${encodeURIComponent(name)}`))),
    );
  program
    .command('import')
    .description('Read a snapshot from a file')
    .argument('<name>', 'name of the snapshot')
    .argument('<file>', 'file to read')
    .action(async (name: string, file: string) => {
      await call('PUT', `/snapshots/${encodeURIComponent(name)}`, readJson(file));
      session.print(toText(`The snapshot is saved as ${name}.`));
    });
  program
    .command('discard')
    .description('Delete a snapshot')
    .argument('<name>', 'name of the snapshot')
    .action(async (name: string) => {
      await call('DELETE', `/snapshots/${encodeURIComponent(name)}`);
      session.print(toText('The snapshot is deleted.'));
    });
}
