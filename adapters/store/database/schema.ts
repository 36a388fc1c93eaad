import type { Kysely } from 'kysely';
import type { BriefTag } from '../../../src/wire/values.ts';
import { applyMigrations, type Migrations } from './migrations.ts';

/** The tables of the store. A boolean is stored as 0 or 1, and a list as JSON text. */
export interface Tables {
  applications: {
    id: string;
    owner: string;
    type: string;
    tag: string;
    version: number;
    draft: string | null;
    stepIndex: number;
    stepCount: number;
    documentIds: string;
    referentie: string | null;
    manual: number | null;
    reden: string | null;
    createdAt: string;
    updatedAt: string;
    submittedAt: string | null;
    /** Token of the request that claimed (locked) the row to submit the application; null when no request did. */
    claim: string | null;
    /**
     * Moment at which the claim (lock) on the row expires, in milliseconds since 1970 by the store's clock; null when
     * there is none.
     */
    claimedUntil: number | null;
    /**
     * `<owner>|<type>`, or `<owner>|<type>|<registration>` when an owner can have one for each registration, for an
     * application that keeps its owner from starting another such one: it is being sent, in doubt (sent, not confirmed)
     * or in progress. Otherwise null. The column is unique.
     */
    slot: string | null;
    sentKey: string | null;
    /**
     * Fingerprint of the content that was sent to the register under the idempotency key `sentKey`; `mixed` when
     * different contents were sent; null when nothing was sent.
     */
    sentHash: string | null;
    sentAt: number | null;
  };
  keys: {
    owner: string;
    key: string;
    fingerprint: string;
    /** Id that the resource gets when the request with this idempotency key creates it. */
    id: string;
    busyUntil: number;
    /** The stored answer, as JSON of a `StoredAnswer`; null while there is none. */
    answer: string | null;
    createdAt: number;
  };
  uploads: {
    owner: string;
    /** The workspace (tenant) in which the last attempt to upload began. */
    workspace: string;
    wizardId: string;
    localId: string;
    documentId: string;
    categoryId: string;
    state: string;
    formaat: string | null;
    bestandsnaam: string | null;
    omvang: number | null;
    sha256: string | null;
    key: string | null;
    /**
     * `|<application id>|` for each application with the document that was submitted or is being submitted; an empty
     * text when there is none.
     */
    links: string;
    /** Is 1 when the file was sent, or is being sent, to the document store without a confirmation; otherwise 0. */
    perhapsStored: number;
    claim: string | null;
    claimedUntil: number | null;
    createdAt: number;
  };
  leftovers: {
    documentId: string;
    key: string | null;
    since: number;
  };
  leases: {
    name: string;
    holder: string;
    until: number;
  };
  /** Number of admitted requests for each key and minute. The key is `<kind of rate limit>|<subject of the person>`. */
  rates: {
    key: string;
    minute: number;
    count: number;
  };
  brieven: {
    briefId: string;
    workspace: string;
    /** The workspace (tenant) whose current letter this is; null for an earlier letter. The column is unique. */
    slot: string | null;
    version: number;
    tag: BriefTag;
    sentAt: string | null;
    /**
     * Token of an attempt to send the letter that has started and did not certainly fail; null when there is no such
     * attempt.
     */
    sending: string | null;
    /** JSON of a `BriefContent`. */
    content: string;
  };
}

/** The migrations of the store. One that was released never changes (decisions/0041-migrations-only-add.md). */
export const MIGRATIONS: Migrations = {
  '001-applications': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('applications')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('draft', 'text')
        .addColumn('stepIndex', 'integer', (column) => column.notNull())
        .addColumn('stepCount', 'integer', (column) => column.notNull())
        .addColumn('documentIds', 'text', (column) => column.notNull())
        .addColumn('referentie', 'text')
        .addColumn('manual', 'integer')
        .addColumn('reden', 'text')
        .addColumn('createdAt', 'text', (column) => column.notNull())
        .addColumn('updatedAt', 'text', (column) => column.notNull())
        .addColumn('submittedAt', 'text')
        .addColumn('claim', 'text')
        .addColumn('claimedUntil', 'double precision')
        .addColumn('slot', 'text', (column) => column.unique())
        .addColumn('sentKey', 'text')
        .addColumn('sentHash', 'text')
        .addColumn('sentAt', 'double precision')
        .execute();
      await db.schema.createIndex('applications_by_owner').on('applications').columns(['owner', 'updatedAt']).execute();
    },
  },
  '002-keys': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('keys')
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('busyUntil', 'double precision', (column) => column.notNull())
        .addColumn('answer', 'text')
        .addColumn('createdAt', 'double precision', (column) => column.notNull())
        .addPrimaryKeyConstraint('keys_primary', ['owner', 'key'])
        .execute();
      await db.schema.createIndex('keys_by_age').on('keys').column('createdAt').execute();
    },
  },
  '003-uploads': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('uploads')
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('wizardId', 'text', (column) => column.notNull())
        .addColumn('localId', 'text', (column) => column.notNull())
        .addColumn('documentId', 'text', (column) => column.notNull().unique())
        .addColumn('categoryId', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('formaat', 'text')
        .addColumn('bestandsnaam', 'text')
        .addColumn('omvang', 'integer')
        .addColumn('sha256', 'text')
        .addColumn('key', 'text')
        .addColumn('links', 'text', (column) => column.notNull())
        .addColumn('perhapsStored', 'integer', (column) => column.notNull())
        .addColumn('claim', 'text')
        .addColumn('claimedUntil', 'double precision')
        .addColumn('createdAt', 'double precision', (column) => column.notNull())
        .addPrimaryKeyConstraint('uploads_primary', ['owner', 'wizardId', 'localId'])
        .execute();
      await db.schema.createIndex('uploads_by_age').on('uploads').columns(['state', 'createdAt']).execute();
      await db.schema
        .createTable('leftovers')
        .addColumn('documentId', 'text', (column) => column.primaryKey())
        .addColumn('key', 'text')
        .addColumn('since', 'double precision', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('leases')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('holder', 'text', (column) => column.notNull())
        .addColumn('until', 'double precision', (column) => column.notNull())
        .execute();
    },
  },
  '004-brief': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('brieven')
        .addColumn('briefId', 'text', (column) => column.primaryKey())
        .addColumn('workspace', 'text', (column) => column.notNull())
        .addColumn('slot', 'text', (column) => column.unique())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('sentAt', 'text')
        .addColumn('sending', 'text')
        .addColumn('content', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '005-rates': {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable('rates')
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('minute', 'integer', (column) => column.notNull())
        .addColumn('count', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('rates_primary', ['key', 'minute'])
        .execute();
    },
  },
  '006-upload-workspace': {
    async up(db: Kysely<never>) {
      // Also the value of uploads that the previous version adds while both versions run.
      await db.schema
        .alterTable('uploads')
        .addColumn('workspace', 'text', (column) => column.notNull().defaultTo('default'))
        .execute();
    },
  },
};

/**
 * Migrates a database to the current schema. Several processes can call it at the same time.
 *
 * @param schema - the schema with the tables; absent for SQLite
 */
export const migrate = (db: Kysely<Tables>, schema?: string): Promise<void> => applyMigrations(db, MIGRATIONS, schema);
