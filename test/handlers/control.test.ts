import { setupServer } from 'msw/node';
import { describeControl } from '../support/handlers-control.ts';

describeControl('msw', setupServer);
