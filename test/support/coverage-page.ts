import { type HostedOperation, hostedOperations } from '../../packages/server/src/api/hosted-operations.js'
import { type Coverage, type Covered, isInScope, nameOf } from './coverage.js'

export const coveragePage = 'docs/api/coverage.md'

/** What the page says about one operation. */
export interface Claim {
  readonly name: string
  readonly definedIn: string
  readonly test: string
}

const row =
  /^\| `(\w+ [^`]+)` \| \[[^\]]+\]\(\.\.\/\.\.\/([^)]+)\) \| \[[^\]]+\]\(\.\.\/\.\.\/([^)]+)\) \|$/gm

export const claimsOf = (text: string): Claim[] =>
  [...text.matchAll(row)].map(([, name = '', definedIn = '', test = '']) => ({ name, definedIn, test }))

/** Returns the operations that the page lists as missing. */
export const absentOf = (text: string): string[] =>
  [...text.matchAll(/^- `(\w+ [^`]+)`$/gm)].map(([, name = '']) => name)

const link = (path: string) => `[${path.split('/').at(-1)}](../../${path})`

/**
 * Keeps the test that the page already names while it still calls the operation, so that the page changes only where it
 * must.
 */
function rowOf({ operation, definedIn, tests }: Covered, known: readonly Claim[]): string {
  const before = known.find(({ name }) => name === nameOf(operation))?.test
  const test = before !== undefined && tests.includes(before) ? before : tests[0]
  if (!test) throw new Error(`No test in test/api calls ${nameOf(operation)}. Write one.`)
  return `| \`${nameOf(operation)}\` | ${link(definedIn)} | ${link(test)} |`
}

const modulesOf = (operations: readonly HostedOperation[]) => [
  ...new Set(operations.map(({ module }) => module)),
]

/** Writes the page from the current coverage and the previous page. */
export function writeCoverage({ offered, missing }: Coverage, before: string): string {
  const known = claimsOf(before)
  const tables = modulesOf(offered.map(({ operation }) => operation)).map((module) => {
    const rows = offered
      .filter(({ operation }) => operation.module === module)
      .map((covered) => rowOf(covered, known))
    return `## ${module}\n\n| Operation | Defined in | Called by |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  })
  const lists = modulesOf(missing).map((module) => {
    const names = missing.filter((operation) => operation.module === module).map(nameOf)
    return `### ${module}, not offered\n\n${names.map((name) => `- \`${name}\``).join('\n')}\n`
  })
  const scope = hostedOperations.filter(isInScope)
  const built = scope.filter((operation) => !missing.includes(operation)).length
  return `${introduction(built, scope.length)}
${tables.join('\n')}
${ignored}
## What is not offered

Each of these returns 404 with the code \`not_offered\` and a message that names it.

${lists.join('\n')}`
}

const ignored = `## What is ignored

The following parameters of Zype are accepted, but have no effect here:

| Sent | Why |
| --- | --- |
| \`upload[progress]\`, \`upload[status]\` | The progress of an upload is computed from the bytes that have arrived |
| \`video_import[auto_transcribe]\`, \`video_import[auto_translate]\` | Nothing is transcribed or translated |
| \`to_zype_hosted\` of imports and video sources | Films are always fetched and stored here |
| \`stripe_card_token\`, \`stripe_metadata\`, \`braintree_payment_nonce\`, \`recurly_token_id\`, \`payment_nonce\` | No payment provider is called, and no payment secrets are stored |

Some fields do not exist here: \`_keywords\` of all records; \`as_qr_code_html_l\` and \`as_qr_code_html_b\` of redemption codes;
\`deleted_at\` of consumers, subscriptions, transactions, ad tags, favourites and imports, which cannot be restored;
\`amazon_user_id\` of consumers; \`starts_at\`, \`expires_at\` and \`upload_id\` of imports.
`

const introduction = (built: number, all: number) => `# The operations of Zype

Apps, plugins and scripts that were written for the hosted service Zype can use these of its operations here, under the
same paths: ${built} of the ${all} that they build on, and some more. Each is in the reference at \`/docs\`; the pages of this
folder describe the records. Besides the test named here, \`test/api/access.test.ts\` calls every operation on records
with every kind of credential, in JSON and in XML.

This page is written by \`npm run generate -- coverage\`.
`
