// Plain JavaScript, because the entry points load it before anything else.
import { readFileSync } from 'node:fs';

/** Milliseconds between two checks. */
const INTERVAL = 300;

/**
 * Calls `end` once when the process that started this one has ended, or the one above that (on Linux). npm passes a
 * signal to the shell between npm and this process only, so without this the process would go on and keep its port.
 * @param {() => void} end
 */
export function onEndOfParent(end) {
  const [parent, above] = [process.ppid, parentOf(process.ppid)];
  const timer = setInterval(() => {
    const aboveNow = process.ppid === parent ? parentOf(parent) : null;
    // Another process becomes the parent of a process whose parent ends.
    if (process.ppid === parent && (above === null || aboveNow === null || above === aboveNow)) return;
    clearInterval(timer);
    end();
  }, INTERVAL).unref();
}

/**
 * Returns the id of the parent of a process. Returns null where it cannot be read: only Linux has /proc.
 * @param {number} id
 * @returns {string | null}
 */
function parentOf(id) {
  try {
    return /\nPPid:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}
