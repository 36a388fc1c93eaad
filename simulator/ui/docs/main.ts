/**
 * Starts Swagger UI at `/docs`, for the person that the user chooses above it. What Swagger UI makes in English, or in
 * a way that assistive technology cannot use, is mended after each change.
 */
import type {
  ApplicationDetailDto,
  ApplicationSummaryDto,
  BriefViewDto,
  UploadStatusDto,
} from 'zorgregister-bff/client';
import { hasWords, opsFilter, schemasOf, typeOf } from './search.ts';
import type {
  Component,
  Document,
  Fields,
  Items,
  Parameter,
  PathMethod,
  Response,
  Schema,
  ShownField,
  System,
  Tag,
} from './swagger-ui.ts';
import { DUTCH, IDENTITY, LOGIN, NO_PERSON, NONE } from './words.ts';

declare function SwaggerUIBundle(options: object): System;

const persona = document.getElementById('persona') as HTMLSelectElement;
const shows = document.getElementById('shows') as HTMLOutputElement;
const api = document.getElementById('api') as HTMLElement;
const links = document.querySelectorAll<HTMLAnchorElement>('nav a');

const inAddress = (name: string): string => new URL(location.href).searchParams.get(name) ?? '';
const world = inAddress('wereld') || 'default';
const chosen = (): DOMStringMap => (persona.selectedOptions[0] as HTMLOptionElement).dataset;

/**
 * Returns what the address of another page says about the world and the person. Only this page has a person without a
 * name.
 */
const searchWith = (more?: Record<string, string>): string =>
  String(new URLSearchParams({ wereld: world, ...(persona.value !== NO_PERSON && { als: persona.value }), ...more }));

function show(): void {
  shows.textContent = /^[a-z0-9-]{1,32}$/.test(world)
    ? (chosen().shows ?? '')
    : 'Deze wereld kan niet bestaan: een naam heeft ten hoogste 32 kleine letters, cijfers en streepjes.';
  api.style.setProperty('--person', JSON.stringify(persona.value));
  for (const link of links) link.search = searchWith();
}

const slug = inAddress('als');
if (slug !== '') persona.value = slug;
// The console has more people than the list.
if (persona.value === '') {
  const option = new Option(slug, slug, true, true);
  Object.assign(option.dataset, {
    headers: JSON.stringify({ 'X-Subject': slug }),
    shows: 'Uit het adres van deze pagina.',
  });
  persona.add(option);
}
show();
if (world !== 'default')
  (persona.labels[0] as HTMLLabelElement).textContent = `Als wie probeert u de API in wereld ${world}?`;

function headers(): Record<string, string> {
  if (persona.value === NO_PERSON) return {};
  const names: Record<string, string> = { Authorization: 'Bearer dev', ...JSON.parse(chosen().headers ?? '{}') };
  for (const name of ['X-Subject', 'X-Medewerker']) if (names[name] && world !== 'default') names[name] += `@${world}`;
  return names;
}

/**
 * The person and the search are in the address, so that a reload and a link show the same. A search is one step of the
 * history.
 */
function putInAddress(name: string, value: string, isStep = false): void {
  const url = new URL(location.href);
  if (value === '') url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  history[isStep ? 'pushState' : 'replaceState'](null, '', url);
}

// How to fill in the value of the person again, by operation; and the operations in which the user typed since.
const fillsIn = new Map<string, () => void>();
const typed = new Set<string>();
api.addEventListener('input', ({ target }) => {
  const operationId = (target as Element).closest('.opblock')?.id.split('-').at(-1);
  if (operationId !== undefined) typed.add(operationId);
});
function clearAnswer(...pathMethod: PathMethod): void {
  ui.specActions.clearResponse(...pathMethod);
  ui.specActions.clearRequest(...pathMethod);
}
persona.addEventListener('change', () => {
  putInAddress('als', persona.value);
  show();
  for (const one of ui.specSelectors.operations()) clearAnswer(one.get('path'), one.get('method'));
  for (const fillIn of fillsIn.values()) fillIn();
});
// Back does not change the person.
addEventListener('popstate', () => {
  putInAddress('als', persona.value);
  ui.layoutActions.updateFilter(inAddress('zoek'));
  const [, , id] = location.hash.split('/');
  const isFound = (tag: Tag) => tag.get('operations').some((one) => one.getIn(['operation', 'operationId']) === id);
  if (id && !ui.specSelectors.taggedOperations().some(isFound)) ui.layoutActions.updateFilter('', false);
  // When it is shown.
  requestAnimationFrame(() => {
    const operation = document.getElementById(`operations${location.hash.slice(1).replaceAll('/', '-')}`);
    if (operation) ui.layoutActions.scrollToElement(operation);
  });
});

/** Names of fields, code and examples, which are not of Swagger UI. */
const GIVEN = '.json-schema-2020-12__title, code, pre, :is(code, pre) *';

/** Sets attributes of elements. A value may be a function of the element. */
function set(selector: string, attributes: Record<string, string | ((one: HTMLElement) => string)>): void {
  for (const one of api.querySelectorAll<HTMLElement>(selector))
    for (const [name, value] of Object.entries(attributes))
      one.setAttribute(name, typeof value === 'function' ? value(one) : value);
}

function remove(attribute: string, selector: string): void {
  for (const one of api.querySelectorAll(selector)) one.removeAttribute(attribute);
}

const textOf = (one: Element | null | undefined): string => one?.textContent ?? '';

function mend(): void {
  const words = document.createTreeWalker(api, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const { data, parentElement } = words.currentNode as Text;
    // This button has the same text as the one that opens its dialog.
    const dutch = DUTCH[parentElement?.matches('.modal-btn.authorize') ? 'Apply credentials' : data.trim()];
    if (dutch === undefined || dutch === data.trim() || parentElement?.matches(GIVEN)) continue;
    (words.currentNode as Text).data = data.replace(data.trim(), dutch);
  }
  for (const one of api.querySelectorAll('[title], [aria-label], [placeholder]'))
    for (const name of ['title', 'aria-label', 'placeholder']) {
      const dutch = DUTCH[one.getAttribute(name) ?? ''];
      if (dutch !== undefined) one.setAttribute(name, dutch);
    }
  // A button may contain no link; the button changes the address too.
  remove('href', '.opblock-summary-control a[href]');
  // This container has a button in it with a name of its own.
  remove('aria-label', 'div.copy-to-clipboard');
  // This element is a table, and not a region without a name.
  remove('role', 'table[role]');
  // The errors of an operation are another table with this id.
  remove('id', '.errors table[id]');
  // An operation with an address of its own has another list with this id.
  remove('id', '#servers');
  set('input[placeholder]', { 'aria-label': (one) => (one as HTMLInputElement).placeholder });
  // What is in a panel can have the focus, so that the panel itself is no stop.
  set('[role="tabpanel"]', { tabindex: '-1' });
  const headingOf = (one: Element) =>
    one.closest(':has(> :is(h4, h5))')?.querySelector('h4, h5')?.textContent ?? 'Voorbeeld';
  set('pre.microlight', { tabindex: '0', role: 'group', 'aria-label': headingOf });
  set('.information-container', { role: 'region', 'aria-label': 'Over deze API' });
  set('.filter-container', { role: 'search' });
  set('.scheme-container', { role: 'region', 'aria-label': 'Adres en headers' });
  set('h3.opblock-tag, .models > h4, .modal-ux h3', { 'aria-level': '2' });
  // Of what it has, only the button with the name of the operation can be seen or heard.
  set('.opblock-summary', { role: 'heading' });
  set('.opblock-summary, .modal-ux h4', { 'aria-level': '3' });
  set('.opblock-body h4', { 'aria-level': '4' });
  set('.opblock-body h5', { 'aria-level': '5' });
  set('.responses-header td', { role: 'columnheader' });
  // This arrow does the same as the button beside it, which has the name of the operation.
  set('.opblock-control-arrow', { 'aria-hidden': 'true', tabindex: '-1' });
  set('.modal-ux .close-modal', { 'aria-label': 'Sluiten' });
  set('.servers select', { 'aria-label': 'Adres van de dienst' });
  set('.examples-select-element', { 'aria-label': 'Voorbeelden' });
  set('select.content-type', { 'aria-label': 'Mediatype' });
  set('.body-param__text', { 'aria-label': 'Inhoud van de vraag' });
  set('[data-param-name] :is(input, select)', { 'aria-label': (one) => one.closest('tr')?.dataset.paramName ?? '' });
  set('[data-property-name] :is(input, select)', {
    'aria-label': (one) => one.closest('tr')?.dataset.propertyName ?? '',
  });
  set('.auth-container input', {
    'aria-label': (one) => `Waarde van ${textOf(one.closest('.auth-container')?.querySelector('h4 code'))}`,
  });
  set('.json-schema-2020-12-accordion:not(:has(strong))', { 'aria-label': (one) => textOf(one.nextElementSibling) });
  set('a[target="_blank"]', { 'aria-label': (one) => `${textOf(one)} (nieuw tabblad)` });
  set('.validation-errors', { role: 'alert' });
  set('.opblock-body :is(input, select, textarea)', {
    'aria-invalid': (one) => String(one.closest('.invalid') !== null),
  });
  set('.authorize.unlocked', { 'aria-label': 'Token en X-Step-Up' });
  const values = () => ui.authSelectors.authorized().keySeq();
  set('.authorize.locked', {
    'aria-label': () =>
      `Token en X-Step-Up: ${values()
        .map((name) => LOGIN[name].means)
        .join(' en ')}`,
  });
  // Wis and Stel in remove the control that has the focus.
  if (focused && !focused.isConnected && document.activeElement === document.body)
    (part?.querySelector<HTMLElement>('.execute') ?? part?.querySelector<HTMLElement>('input, button'))?.focus();
}
let focused: Element | undefined;
let part: Element | null | undefined;
addEventListener('focusin', ({ target }) => {
  focused = target as Element;
  part = focused.closest('.opblock-body, .modal-ux-content');
});

const asText = (body: unknown): string => JSON.stringify(body, null, 2);

/** Where the value of the person is that "Probeer" fills in. */
interface OwnValue {
  /** The path that is read. */
  readonly path: string;
  /** Returns the id in the answer; without `bodyOf` and a parameter in the path it is the body. */
  readonly valueIn: (answer: never) => string | null | undefined;
  /** Returns the body, from the answer about the id. */
  readonly bodyOf?: (answer: never) => string;
}

const uploadIn = ({ results }: UploadStatusDto) => results.findLast(({ status }) => status === 'uploaded')?.documentId;
const draftIn = (all: ApplicationSummaryDto[]) => all.find(({ status }) => status.tag === 'Concept')?.id;
const DRAFT: OwnValue = { path: '/applications', valueIn: draftIn };
const UPLOAD: OwnValue = { path: '/uploads/status', valueIn: uploadIn };
const CREATED_AT: Readonly<Record<string, string>> = {
  registratie: '/registrations',
  herregistratie: '/herregistraties',
  intake: '/intakes',
};

/** By operation. A letter or draft is saved whole, and a draft is submitted as the example of its kind with what it has. */
const OWN: Readonly<Record<string, OwnValue>> = {
  readApplication: { path: '/applications', valueIn: ([first]: ApplicationSummaryDto[]) => first?.id },
  syncApplication: {
    ...DRAFT,
    bodyOf: ({ draft, status: { stepIndex, stepCount }, documentIds }: ApplicationDetailDto) =>
      asText({ draft, stepIndex, stepCount, documentIds }),
  },
  submitApplication: {
    ...DRAFT,
    bodyOf({ type, draft }: ApplicationDetailDto) {
      const body = ['post', 'requestBody', 'content', 'application/json', 'example'];
      const example = ui.specSelectors.specJson().getIn(['paths', CREATED_AT[type], ...body]) as Items<unknown>;
      const saved = draft as Readonly<Record<string, unknown>> | null;
      return asText(example.map((value, name) => saved?.[name] ?? value));
    },
  },
  deleteApplication: DRAFT,
  uploadContent: UPLOAD,
  deleteUpload: UPLOAD,
  // With a document, such as a proof of training, for too few hours.
  createHerregistratie: {
    path: '/uploads/status',
    valueIn(all: UploadStatusDto) {
      const documentId = uploadIn(all);
      const documents = [{ categoryId: 'scholingsbewijs', channel: 'digital', documentId }];
      return documentId && asText({ uren: 1400, documents });
    },
  },
  saveBrief: { path: '/brief', valueIn: ({ brief }: BriefViewDto) => brief && asText({ sections: brief.sections }) },
};

/** How to say beside the id of an operation why it is empty, and what to do about it. */
const sayWhy = new Map<string, (why: string | undefined) => void>();
/** The codes that `errors` can have in addition to those of problems. */
const FAULTS = (api.dataset.faults ?? '').split(' ');
/** How the description of an error names each of its codes. */
const CODE = /`[a-z-]+`: (?=[A-Z])/g;
const nothing = () => null;
/** Answers that were scrolled into view, by `traceparent`: only a new answer moves the page. */
const seen = new Set<string>();

interface ResponsesProps {
  readonly responses: Items<Response>;
}
interface ParametersProps extends System {
  readonly operation: Fields<{ operationId: string }>;
  readonly parameters: Items<Parameter, number>;
  readonly pathMethod: PathMethod;
  onTryoutClick(...given: unknown[]): void;
  onResetClick(...given: unknown[]): void;
}
interface ParameterProps {
  readonly param: Parameter;
  readonly pathMethod: PathMethod;
}
interface MarkdownProps {
  readonly source?: string;
}
interface AnswerProps extends System {
  readonly path: string;
  readonly method: string;
  readonly response: Fields<{ status: number; error: unknown; headers: unknown }> & {
    toJS(): { headers?: { link?: string; traceparent?: string } };
  };
}

/** A class component that Swagger UI connects to its state. */
type Container = new () => { mapStateToProps(state: unknown, props: OperationProps): object };
interface OperationProps extends System {
  readonly path: string;
  readonly method: string;
}

/**
 * Finds and counts the operations that have every word, folds their errors, links to what a code means and to the
 * reasons for an answer, and keeps the focus.
 */
const plugin = ({ React: { createElement, useEffect, useRef, useState } }: System) => ({
  fn: { opsFilter },
  statePlugins: {
    layout: {
      wrapActions: {
        // Below the bar with the person, where Swagger UI scrolls to the top of the window, and with the focus.
        scrollToElement: () => (element: Element) => {
          element.scrollIntoView();
          element.querySelector('button')?.focus({ preventScroll: true });
        },
        updateFilter:
          (original: (words: string) => unknown) =>
          (words: string, isStep = (inAddress('zoek') === '') !== (words === '')) => {
            putInAddress('zoek', words, isStep);
            return original(words);
          },
      },
    },
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (spec: Document) => void) => (spec: Document) => {
          spec.info.description += `\n${IDENTITY}`;
          const { schemas } = spec.components;
          // The name of a schema where another refers to it, and in the operations that the search finds.
          for (const [title, one] of Object.entries(schemas)) schemas[title] = { title, ...one };
          for (const one of Object.values(spec.paths).flatMap((path) => Object.values(path)))
            if (one.operationId) one['x-schemas'] = schemasOf(one, schemas);
          original(spec);
        },
        // An answer to the person before is not shown, once Swagger UI has seen that the call ended.
        executeRequest:
          (original: (call: object) => Promise<void>) => async (call: { pathName: string; method: string }) => {
            const who = persona.value;
            await original(call);
            if (who !== persona.value) requestAnimationFrame(() => clearAnswer(call.pathName, call.method));
          },
      },
      wrapSelectors: {
        selectSchemas:
          (original: (...given: unknown[]) => object, { layoutSelectors }: System) =>
          (...given: unknown[]) =>
            Object.fromEntries(
              Object.entries(original(...given)).filter((one) =>
                hasWords(JSON.stringify(one), layoutSelectors.currentFilter()),
              ),
            ),
        // With the fields of a body; Swagger UI has only the parameters.
        validationErrors:
          (original: (pathMethod: PathMethod) => string[], { oas3Selectors }: System) =>
          (_: unknown, pathMethod: PathMethod) => {
            const body = oas3Selectors.requestBodyValue(...pathMethod);
            const hasErrors = (field: ShownField | undefined) => (field?.get?.('errors')?.size ?? 0) > 0;
            const wrong = typeof body === 'string' ? undefined : body?.filter?.(hasErrors);
            const fields = wrong?.keySeq().toArray() ?? [];
            if ((oas3Selectors.requestBodyErrors(...pathMethod)?.size ?? 0) > 0) fields.push('de inhoud van de vraag');
            const inParameters = original(pathMethod).map((text) => text.replace(/^For '(.+)': Required.*/, '$1'));
            return [...inParameters, ...fields].map((name) => `Vul ${name} in.`);
          },
      },
    },
  },
  wrapComponents: {
    responses:
      (Original: Component<ResponsesProps>): Component<ResponsesProps> =>
      (props) => {
        const withThose = (isShown: (status: string) => boolean, more?: object) =>
          createElement(Original, {
            ...props,
            responses: props.responses.filter((_, status) => isShown(status)),
            ...more,
          });
        const errors = props.responses.filter((_, status) => status >= '400');
        const foldedError = ([status, error]: readonly [string, Response]) => {
          const description = error.get('description');
          const codes = description.match(CODE)?.map((code) => code.slice(1, -3));
          return createElement(
            'details',
            { key: status },
            createElement('summary', null, `${status} ${codes?.join(', ') ?? description}`),
            withThose((one) => one === status, { tryItOutResponse: undefined }),
          );
        };
        return createElement(
          'div',
          null,
          withThose((status) => status < '400'),
          createElement(
            'details',
            { className: 'errors' },
            createElement('summary', null, `${errors.size} ${errors.size === 1 ? 'fout' : 'fouten'}`),
            errors.entrySeq().map(foldedError),
          ),
        );
      },
    parameters:
      (Original: Component<ParametersProps>): Component<ParametersProps> =>
      (props) => {
        const { operation, parameters, pathMethod, oas3Actions, oas3Selectors, specActions } = props;
        const operationId = operation.get('operationId');
        const own = OWN[operationId];
        const id = parameters.find((one) => one.get('in') === 'path');
        const fillIn = async ({ path, valueIn, bodyOf }: OwnValue) => {
          const who = persona.value;
          let why: string | undefined;
          const read = async (from: string) => {
            const answer = await fetch(`/api/v1${from}`, { headers: headers() });
            const content = await answer.json().catch(nothing);
            why = answer.ok ? `Deze persoon heeft geen ${NONE[id?.get('name') ?? '']}` : content?.detail;
            return answer.ok && content;
          };
          const found = await read(path);
          const value = found && valueIn(found as never);
          const saved = bodyOf && value && (await read(`${path}/${value}`));
          if (who !== persona.value || typed.has(operationId)) return;
          sayWhy.get(pathMethod.join())?.(value ? undefined : why);
          if (id) specActions.changeParamByIdentity(pathMethod, id, value || '');
          if (id && !bodyOf) return;
          const body = bodyOf ? saved && bodyOf(saved as never) : value;
          oas3Actions.setRequestBodyValue({
            value: body || oas3Selectors.selectDefaultRequestBodyValue(...pathMethod),
            pathMethod,
          });
        };
        const withOwn =
          (act: (...given: unknown[]) => void) =>
          (...given: unknown[]) => {
            act(...given);
            if (own === undefined) return;
            fillsIn.set(operationId, () => fillIn(own));
            typed.delete(operationId);
            fillIn(own);
          };
        return createElement(Original, {
          ...props,
          onTryoutClick: withOwn(props.onTryoutClick),
          onResetClick: withOwn(props.onResetClick),
        });
      },
    parameterRow:
      (Original: Component<ParameterProps>): Component<ParameterProps> =>
      (props) => {
        const [why, setWhy] = useState<string>();
        if (props.param.get('in') === 'path') sayWhy.set(props.pathMethod.join(), setWhy);
        const withWhy = (given: string) => (why ? `${given}\n\n${why}` : given);
        return createElement(Original, { ...props, param: props.param.update('description', withWhy) });
      },
    // An operation is rendered again when its body is found to be incomplete; Swagger UI does it for parameters.
    OperationContainer: (Original: Container) =>
      class extends Original {
        override mapStateToProps(state: unknown, props: OperationProps) {
          const { path, method, oas3Selectors } = props;
          const body = oas3Selectors.requestBodyValue(path, method);
          return {
            ...super.mapStateToProps(state, props),
            body,
            errors: oas3Selectors.requestBodyErrors(path, method),
          };
        }
      },
    // Swagger UI marks no file.
    JsonSchemaForm:
      (Original: Component<{ errors?: Items<string> }>): Component<{ errors?: Items<string> }> =>
      (props) =>
        createElement(
          'div',
          (props.errors?.size ?? 0) > 0 ? { className: 'invalid' } : null,
          createElement(Original, props),
        ),
    // The fields of a schema open with it.
    JSONSchema202012ExpandDeepButton:
      (): Component<{ expanded: boolean; onClick: (event: null, isExpanded: true) => void }> =>
      ({ expanded, onClick }) => {
        useEffect(() => {
          if (expanded) onClick(null, true);
        }, [expanded]);
        return null;
      },
    JSONSchema202012KeywordType:
      (): Component<{ schema: Schema }> =>
      ({ schema }) =>
        createElement('span', { className: 'json-schema-2020-12__attribute' }, typeOf(schema)),
    // One of the two is null, as the type says.
    JSONSchema202012KeywordAnyOf:
      (_: unknown, { getComponent }: System): Component<{ schema: Schema }> =>
      ({ schema }) =>
        schema.anyOf
          ? createElement(getComponent('JSONSchema202012KeywordProperties'), { schema: schema.anyOf[0] })
          : null,
    FilterContainer:
      (Original: Component<System>): Component<System> =>
      (props) => {
        const words = props.layoutSelectors.currentFilter();
        const isSearch = words !== '';
        const count = props.specSelectors.taggedOperations().reduce((sum, tag) => sum + tag.get('operations').size, 0);
        const schemas = Object.keys(props.specSelectors.selectSchemas()).length;
        const href = `/docs/problems/${words}${location.search}`;
        return createElement(
          'div',
          null,
          createElement(Original, props),
          createElement(
            'p',
            { role: 'status', className: 'wrapper' },
            isSearch && `${count} ${count === 1 ? 'operatie' : 'operaties'}`,
            isSearch && schemas > 0 && `, ${schemas} ${schemas === 1 ? 'schema' : 'schema’s'}`,
            isSearch &&
              FAULTS.includes(words) &&
              createElement('a', { href, target: '_blank' }, ` Wat betekent ${words}?`),
          ),
        );
      },
    // A disabled button loses the focus. During a call this one does nothing.
    execute:
      (Original: Component<object>): Component<System & { disabled: boolean }> =>
      ({ disabled, specActions, ...props }) =>
        createElement(Original, { ...props, specActions: disabled ? { ...specActions, execute() {} } : specActions }),
    authorizationPopup:
      (Original: Component<System>): Component<System> =>
      (props) => {
        const dialog = useRef<HTMLDialogElement>();
        useEffect(() => {
          dialog.current.showModal();
          dialog.current.querySelector<HTMLElement>('.modal-ux-content :is(input, button)')?.focus();
          return () => api.querySelector<HTMLElement>('.auth-wrapper .authorize')?.focus();
        }, []);
        const onClose = () => props.authActions.showDefinitions(false);
        return createElement(
          'dialog',
          { ref: dialog, 'aria-label': 'Token en X-Step-Up', onClose },
          createElement(Original, props),
        );
      },
    AuthItem:
      (Original: Component<object>): Component<{ name: string; schema: Fields<{ description: string }> }> =>
      ({ schema, ...props }) => {
        const { says } = LOGIN[props.name as keyof typeof LOGIN] ?? {};
        return createElement(Original, { ...props, schema: schema.update('description', (given) => says ?? given) });
      },
    Markdown:
      (Original: Component<MarkdownProps>): Component<MarkdownProps> =>
      ({ source, ...props }) => {
        const linkTo = (code: string) =>
          `\n- [${code.slice(0, -2)}](/docs/problems/${code.slice(1, -3)}${location.search}): `;
        const changed = source?.replace(CODE, linkTo);
        return createElement(Original, { ...props, ...(changed !== undefined && { source: changed }) });
      },
    // Every answer has this header.
    headers:
      (Original: Component<object>): Component<{ headers?: Items<unknown> }> =>
      ({ headers, ...props }) =>
        createElement(Original, { ...props, headers: headers?.delete('API-Version') }),
    liveResponse:
      (Original: Component<object>): Component<AnswerProps> =>
      (props) => {
        const answer = useRef<HTMLElement>();
        const { link = '', traceparent = '' } = props.response.toJS().headers ?? {};
        useEffect(() => {
          if (seen.has(traceparent)) return;
          seen.add(traceparent);
          if (focused?.matches('.execute')) answer.current.focus({ preventScroll: true });
          answer.current.scrollIntoView({ block: 'nearest' });
        });
        const help = /<([^<>]+)>; rel="help"/.exec(link)?.[1];
        const code = help?.split('/').at(-1);
        const why = `/_simulator/?${searchWith({ lade: 'journaal', aanroep: traceparent.split('-')[1] ?? '' })}`;
        const status = props.response.get('status');
        const { path, method, specSelectors, getComponent } = props;
        const described = ['paths', path, method, 'responses', String(status)];
        const refusal = specSelectors.specJson().getIn(described) as Response | undefined;
        const isEmpty = status >= 400 && refusal?.has('content') === false;
        const shown = [
          createElement(
            'p',
            null,
            help && createElement('a', { href: help + location.search, target: '_blank' }, `Wat betekent ${code}?`),
            ' ',
            'console' in api.dataset && createElement('a', { href: why, target: '_blank' }, 'Waarom dit antwoord?'),
          ),
          isEmpty &&
            createElement('p', null, `${refusal?.get('description')} Geen inhoud: zo staat het in de specificatie.`),
          createElement(Original, {
            ...props,
            // The status says it.
            response: props.response.delete('error'),
            getComponent: (name: string, ...more: [boolean?]) =>
              name === 'curl' ? nothing : getComponent(name, ...more),
          }),
          createElement(getComponent('curl', true), { request: specSelectors.mutatedRequestFor(path, method) }),
        ];
        return createElement(
          'div',
          {
            ref: answer,
            tabIndex: -1,
            role: 'group',
            'aria-label': ['Antwoord:', status || 'geen', code].filter(Boolean).join(' '),
          },
          ...(status ? shown : ['De dienst antwoordt niet. Draait hij nog?']),
        );
      },
  },
});

const ui = SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: inAddress('zoek'),
  defaultModelExpandDepth: 10,
  plugins: [plugin],
  validatorUrl: null,
  requestInterceptor(request: { headers: Record<string, string> }) {
    request.headers = { ...headers(), ...request.headers };
    return request;
  },
});
new MutationObserver(mend).observe(api, { childList: true, subtree: true, characterData: true });
