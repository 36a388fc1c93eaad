declare module 's3rver' {
  /** An S3 server that somebody else wrote. It checks signatures of version 4, with its own access key. */
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
