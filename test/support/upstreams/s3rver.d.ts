declare module 's3rver' {
  /** An S3 server from an npm package. It checks signatures (Signature Version 4) with a fixed access key. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}

/** A maintained fork of the same server, with its own code for signatures. */
declare module '@20minutes/s3rver' {
  export { default } from 's3rver';
}
