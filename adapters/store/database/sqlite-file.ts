/** Name of the SQLite file of the store in its folder (`DATA_DIR`). Here, because messages about it need no SQLite. */
export const SQLITE_FILE = 'zorgregister.sqlite';
