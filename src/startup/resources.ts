interface Closable {
  close(): unknown;
}

/**
 * The resources that were opened at the start, to be closed in reverse order. (`AsyncDisposableStack` does the same,
 * but Node 22 does not have it.)
 */
export interface Resources {
  /** Adds a resource and returns that resource. */
  keep<Resource extends Closable>(resource: Resource): Resource;
  /** Closes all resources, also when one of them fails to close. Rejects with the first error. */
  close(): Promise<void>;
}

/** Returns an empty collection of resources. */
export function createResources(): Resources {
  const resources: Closable[] = [];
  return {
    keep(resource) {
      resources.push(resource);
      return resource;
    },
    async close() {
      const failures: unknown[] = [];
      for (const resource of resources.splice(0).reverse()) {
        try {
          await resource.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
