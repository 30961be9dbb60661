import { apiVersions, callerKinds, limits, newestVersion, statuses } from '@zoetrope/contract'
import { scopes } from '../../auth/scopes.js'

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const credentials = table(
  ['Credential', 'Parameter', 'What it may do'],
  Object.values(callerKinds).map(({ parameter, about }) => {
    const [name = '', rights = ''] = about.split(/:\s*(.*)/s)
    return [name, `\`${parameter}\``, rights.charAt(0).toUpperCase() + rights.slice(1)]
  }),
)

const tokenScopes = table(
  ['Scope', 'What the token is good for'],
  Object.entries(scopes).map(([name, about]) => [`\`${name}\``, about]),
)

const errors = table(
  ['Status', '`code`', 'Meaning'],
  Object.entries(statuses).map(([status, { code, about }]) => [status, `\`${code}\``, about]),
)

const bounds = table(
  ['Limit', 'Value', 'Of what'],
  Object.entries(limits).map(([name, { value, about }]) => [
    `\`${name}\``,
    value.toLocaleString('en'),
    about,
  ]),
)

const filters = table(
  ['Parameter', 'Keeps records'],
  [
    ['`genre=Drama`', 'with this value'],
    ['`genre[]=Drama&genre[]=Comedy`', 'with one of these values'],
    ['`genre!=Drama`', 'without this value: the name of the parameter ends in `!`'],
    ['`duration.gte=60`', 'in a range: `.gt`, `.gte`, `.lt`, `.lte`, on numbers and times'],
    ['`keywords[]=sea&keywords[]=sun`', 'that have any of these (`keywords_or` is the same)'],
    ['`keywords_and[]=sea&keywords_and[]=sun`', 'that have all of these'],
    ['`category[Genre]=Drama`', 'that have this value in the category of this title'],
    ['`custom[plan]=gold`', 'that have this value under this name among their free attributes'],
    ['`q=golden gate`', 'found by these keywords'],
    [
      '`deleted=true`',
      'that were deleted and can still be brought back; only for the admin key and named keys',
    ],
    [
      '`active=all`',
      'active or not: `true` (the default), `false` or `all`; only for the admin key and named keys',
    ],
  ],
)

/** What holds for every operation, in Markdown. */
export const introduction = `
The API of a Zoetrope installation: manage videos and everything around them, and build apps that show them.
Resources are made with POST, read with GET, changed with PUT and removed with DELETE.

\`\`\`sh
curl "$ZOETROPE_URL/videos?api_key=$API_KEY&per_page=2"
\`\`\`

## Formats

Answers are JSON unless XML is asked for: by \`Content-Type: text/xml\` (or \`application/xml\`), by \`Accept: application/xml\`,
or by the suffix \`.xml\` on the path. Names are the same in both, in snake_case.

A record comes as \`{"response": {…}}\`, a list as \`{"response": […], "pagination": {…}}\`; an operation that has nothing to show
says \`{"message": "…"}\`, and the token endpoints answer without an envelope. In XML the root is \`result\`;
the items of a list carry the name of the record, and \`type\` or \`nil\` say what text alone cannot:

\`\`\`xml
<?xml version="1.0" encoding="UTF-8"?>
<result>
  <response type="array">
    <video>
      <_id>65f0c0ffee0123456789abcd</_id>
      <title>The Horse in Motion</title>
      <duration type="integer">94</duration>
      <keywords type="array"><keyword>horse</keyword><keyword>motion</keyword></keywords>
      <disable_at nil="true"/>
    </video>
  </response>
  <pagination>
    <current type="integer">0</current>
    <previous nil="true"/>
    <next type="integer">1</next>
    <per_page type="integer">1</per_page>
    <pages type="integer">3</pages>
  </pagination>
</result>
\`\`\`

A key that cannot be the name of an element becomes \`<entry key="…">\`. XML in has the same shape as XML out, or simply
\`<video>…</video>\`.

Ids are 24 hexadecimal digits in the order of creation. Times are ISO 8601 with milliseconds and an offset. Prices are decimal
strings, so that no cent is lost. Arrays are never null. A creation answers 201, an update 200, a deletion 204 without a body.
Reads carry an \`ETag\`; sent back as \`If-None-Match\`, it is answered with 304 while nothing changed. Sent as
\`If-Match\` with a PUT or DELETE, it is answered with 412 if somebody else changed the record since: nobody is overwritten unseen.

## Credentials

Send exactly one, as a query parameter, as a header (\`X-Api-Key\`, \`X-App-Key\` or \`Authorization: Bearer\`), or beside the
fields of a body. None or a wrong one is answered with 401, two at once with 422, a valid one that may not do this with 403.
Where an access token may call, an API key of the same channel may stand in a header beside it; the token decides.

${credentials}

Access tokens come from \`POST /oauth/token\` and stand for one consumer. They have a scope:

${tokenScopes}

Each operation below says who may call it: ${Object.keys(callerKinds).length} kinds of caller, denied unless named. Records of
another channel do not exist for you: they are 404, whatever the credential. Neither do other consumers for an access token.

## Pages

Lists come in pages. \`page\` counts **from 0**; \`per_page\` is 10 unless said otherwise and at most ${limits.per_page.value}
(a larger number is cut to that). \`pagination\` tells the page asked for (\`current\`), its neighbours (\`previous\`, \`next\`, null
at the ends), \`per_page\`, the number of \`pages\`, and the \`total\` of records; an empty list has 0. A filtered list is counted up to
${limits.counted.value.toLocaleString('en')} records; beyond, \`pages_exact\` is false. A page beyond the last is empty, not an error.
For apps written for one-based services, set \`first_page\` to 1 on the account or on the app.

To walk a whole list, send \`pagination.next_cursor\` back as \`cursor\` until it is null: nothing is skipped or seen twice
while records come and go.

## Filters, search and order

${filters}

Times may be ISO 8601 or seconds since 1970. Each list names its filters; empty and unknown ones are ignored. \`sort\` and
\`order\` (\`asc\`, \`desc\`) arrange the list; a \`sort\` that names no field is ignored, and the header \`X-Notice\` says so.
\`response_fields=title,duration\` returns only the fields named and the id.

## Requests

A body may be JSON, a form, multipart, or XML, with its fields wrapped in the singular name of the resource, or bare:

\`\`\`sh
curl "$ZOETROPE_URL/videos?api_key=$API_KEY" --json '{"video": {"title": "The Horse in Motion", "keywords": ["horse"]}}'
curl "$ZOETROPE_URL/videos?api_key=$API_KEY" -d 'video[title]=The Horse in Motion' -d 'video[keywords][]=horse'
curl "$ZOETROPE_URL/videos?api_key=$API_KEY" -H 'Content-Type: text/xml' -d '<video><title>The Horse in Motion</title></video>'
curl -X POST "$ZOETROPE_URL/videos?api_key=$API_KEY&video%5Btitle%5D=The+Horse+in+Motion"
\`\`\`

- Brackets nest: \`video[keywords][]=a\`, \`a[0][b]=c\`. The fields may also stand in the query string with an empty body.
- \`_method=put\` or \`_method=delete\` in a POST replaces the verb, for clients that have only GET and POST.
- A trailing slash and a suffix \`.json\` or \`.xml\` are accepted on every path.
- An update changes what is sent and nothing else.
- DTDs and entities in XML are refused.

## Versions

\`Zoetrope-Version: ${newestVersion}\` asks for the version that a program was written for, and every answer names the version used.
Without the header it is the newest. Known: ${apiVersions.join(', ')}.

## What is not understood

Parameters and fields that an operation does not have are ignored, and named in the header \`X-Notice\`; with \`notices=true\` also in
\`notices\` beside \`response\`. With \`strict=true\`, the header \`Zoetrope-Strict: 1\` or a strict named key they are 422, with
what was probably meant.

## Errors

Every error has a \`message\` for a person, a stable \`code\` for a program and the \`request_id\` under which the log knows it;
422 adds \`errors\`, field by field. The token endpoints add \`error\` and \`error_description\` (RFC 6749) instead. In XML it is \`<error><message>…</message></error>\`.

${errors}

## Limits

${bounds}
`.trim()
