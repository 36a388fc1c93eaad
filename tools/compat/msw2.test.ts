import type { setupServer } from 'msw/node';
import { setupServer as setupServer2 } from 'msw2/node';
import { describeControl } from '../../test/support/handlers-control.ts';

describeControl('tools/node_modules/msw2', setupServer2 as unknown as typeof setupServer);
