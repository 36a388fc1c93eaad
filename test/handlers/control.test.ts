import { setupServer } from 'msw/node';
import { describeControl } from '../support/handlers-control.ts';

describeControl('node_modules/msw', setupServer);
