import { type Html, html } from '../lib/html.js'
import { fields, type PageInProgress, parameterList, within } from './fields.js'
import { inline, markdown } from './markdown.js'
import type { Content, Operation, Parameter, Response, Schema } from './model.js'
import { requestParameters } from './openapi/parameters.js'

/** More parameters than this are folded up: of some lists there are more than a hundred filters. */
const mostOpen = 12

/** An operation: what it does and takes on one side, a request and its answer on the other. */
export function operation(page: PageInProgress, described: Operation): Html {
  const { operationId, summary, method, path, description } = described
  return html`<section id="${operationId}" class="operation" data-method="${method}" data-path="${path}">
<div class="text">
<h2><a href="#${operationId}">${summary}</a></h2>
<p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${markdown(description)}
${parameters(page, described)}
${body(page, described)}
${answers(page, described)}
</div>
<div class="samples">
${samples(described)}
</div>
</section>\n`
}

/** The introduction explains these once. */
const isOfEveryRequest = ({ name }: Parameter) =>
  Object.values(requestParameters).some((each) => each.name === name)

function parameters(page: PageInProgress, { parameters: given = [] }: Operation): Html[] {
  const all = given.map((each) => ('$ref' in each ? page.model.find<Parameter>(each.$ref) : each))
  const known = all.filter((each) => each !== undefined)
  return [
    ['In the path', known.filter((each) => each.in === 'path')] as const,
    ['In the query', known.filter((each) => each.in === 'query')] as const,
    ['Headers', known.filter((each) => each.in === 'header' && !isOfEveryRequest(each))] as const,
  ].flatMap(([heading, listed]) => (listed.length === 0 ? [] : section(page, heading, listed)))
}

function section(page: PageInProgress, heading: string, listed: readonly Parameter[]): Html {
  const [first, rest] = [listed.slice(0, mostOpen), listed.slice(mostOpen)]
  return html`<h3>${heading}</h3>
${parameterList(page, first)}${
  rest.length > 0 &&
  html`<details><summary>${rest.length} more, for example <code>${rest[0]?.name}</code></summary>${parameterList(page, rest)}</details>`
}`
}

const bodyNames: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'application/xml': 'XML',
}

function body(page: PageInProgress, { requestBody }: Operation): Html | undefined {
  if (!requestBody) return undefined
  const kinds = Object.keys(requestBody.content)
  const names = kinds.flatMap((kind) => (kind === 'text/xml' ? [] : [bodyNames[kind] ?? kind]))
  const schema = mainSchema(requestBody.content)
  return html`<h3>Body</h3>
<p class="facts">${names.join(', ')}</p>
${schema && (schema.properties ? fields(page, schema) : within(page, schema))}`
}

/** What a form can contain includes files, which JSON leaves out. */
const mainSchema = (content: Content): Schema | undefined =>
  (content['multipart/form-data'] ?? content['application/json'] ?? Object.values(content)[0])?.schema

function answers(page: PageInProgress, { responses }: Operation): Html {
  const all = Object.entries(responses).map(([status, each]) => ({
    status,
    response: '$ref' in each ? page.model.find<Response>(each.$ref) : each,
  }))
  const isGood = ({ status }: { status: string }) => Number(status) < 400
  const bad = all.filter((each) => !isGood(each))
  return html`<h3>Answers</h3>
<dl>${all.filter(isGood).map(
    ({ status, response }) =>
      html`<dt><code>${status}</code></dt>
<dd><p>${response && inline(response.description)}</p>${response?.content && answerFields(page, response.content)}</dd>`,
  )}</dl>
<details class="errors"><summary>Errors ${bad.map(({ status }) => html` <code>${status}</code>`)}</summary>
<dl>${bad.map(
    ({ status, response }) =>
      html`<dt><code>${status}</code></dt><dd><p>${response && inline(response.description)}</p></dd>`,
  )}</dl></details>`
}

function answerFields(page: PageInProgress, content: Content): Html | undefined {
  const json = content['application/json']?.schema
  if (!json) return html`<p class="facts">${Object.keys(content).join(', ')}</p>`
  // The envelope has the record in it, which is what readers look for.
  const envelope = json.$ref ? page.model.find<Schema>(json.$ref) : json
  const inside = envelope?.properties?.response
  return inside ? within(page, inside) : within(page, json)
}

function samples({ requestBody, responses, summary, ...described }: Operation): Html {
  const [curl, sdk] = described['x-codeSamples'] ?? []
  const answer = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, each]) => {
      const value = '$ref' in each ? undefined : each.content && exampleIn(each.content)
      return value === undefined ? [] : [{ status, value }]
    })[0]
  return html`${[curl, sdk].map(
    (each) =>
      each &&
      html`<figure><figcaption>Request with ${each.label}</figcaption><pre tabindex="0"><code>${each.source}</code></pre></figure>`,
  )}
${
  answer &&
  html`<figure><figcaption>Answer <code>${answer.status}</code></figcaption><pre tabindex="0"><code>${written(answer.value)}</code></pre></figure>`
}
${
  isTried(requestBody?.content) &&
  html`<p class="try" hidden><button type="button" aria-label="Try it: ${summary}">Try it</button></p>`
}`
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Bodies that the console can make: all but pieces of files. */
const isTried = (content: Content = {}) =>
  Object.keys(content).length === 0 || Object.keys(content).some((type) => Object.hasOwn(bodyNames, type))

function exampleIn(content: Content): unknown {
  const { example, examples = {} } = content['application/json'] ?? {}
  return example ?? Object.values(examples)[0]?.value
}
