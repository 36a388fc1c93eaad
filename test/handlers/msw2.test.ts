import type { setupServer } from 'msw/node';
import { setupServer as setupServer2 } from 'msw2/node';
import { describeControl } from '../support/handlers-control.ts';

describeControl('msw2', setupServer2 as unknown as typeof setupServer);
