// Plain JavaScript, because the entry points load it before anything else.
import { readFileSync } from 'node:fs';

// Milliseconds.
const INTERVAL = 300;

/**
 * Calls `end` once when the parent of this process has ended, or (on Linux only) the parent of that parent. npm starts
 * this process through a shell and passes a signal only to that shell. Without this function, this process would keep
 * running, and keep its port, when npm and the shell are stopped.
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
 * Returns the id of the parent of a process; null when it is unknown, for example because only Linux has /proc.
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
