import { createRequire } from 'node:module';

/** Returns the path of a file of an installed npm package, such as `swagger-ui-dist/swagger-ui.css`. */
export const packageFile = (file: string): string => createRequire(import.meta.url).resolve(file);
